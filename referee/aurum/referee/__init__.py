"""Running games: the lobby and its seats, streams, clocks, faults and events."""

import os

# Before anything imports grpc, which would print notes of its own on our users' terminals.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
