"""The run: has workers play what the schedule lacks, and stores it."""
