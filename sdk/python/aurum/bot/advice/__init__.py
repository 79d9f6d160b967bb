"""What authors read about mistakes in their bots. Nothing in here is loaded before a mistake is made."""
