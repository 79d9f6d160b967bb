"""Where bots dial in: the gRPC server, the addresses it listens on, and its connections as the system sees them."""

import os

# Before anything imports grpc, which would print notes of its own on our users' terminals.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
