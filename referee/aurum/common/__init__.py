"""Errors that users can mend, and small matters of text: what every room may use."""
