"""The running table: seats, streams, clocks, faults, records."""
