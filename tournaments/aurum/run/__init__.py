"""The run: plays what the schedule lacks, in worker processes, and stores it."""
