"""What a program that nobody trusts gets to see and to reach: bubblewrap, and what it is to show."""
