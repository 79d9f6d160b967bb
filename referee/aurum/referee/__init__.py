"""The running table: seats, streams, clocks, faults, records."""

import os

# Before anything imports grpc, which would print notes of its own on our users' terminals.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
