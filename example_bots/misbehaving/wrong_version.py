"""Says Hello in a version of the protocol that does not exist, without the SDK, and reports what it hears.

Fault: START_FAILED; the stream ends with FAILED_PRECONDITION and a sentence that names both versions.
"""

import os
import sys

import grpc
from aurum.v1 import play_pb2, play_pb2_grpc


def main() -> None:
    hello = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=99, bot="WrongVersion"))
    metadata = (("authorization", f"Bearer {os.environ['AURUM_TOKEN']}"),)
    with grpc.insecure_channel(os.environ["AURUM_ADDRESS"], (("grpc.enable_http_proxy", 0),)) as channel:
        stub = play_pb2_grpc.RefereeServiceStub(channel)
        try:
            list(stub.Play(iter([hello]), metadata=metadata, wait_for_ready=True))
        except grpc.RpcError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
