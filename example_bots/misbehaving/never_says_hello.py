"""Opens its stream and then says nothing, without the SDK.

Fault: START_FAILED, once the set-up time is over.
"""

import os
import threading
from collections.abc import Iterator

import grpc
from aurum.v1 import play_pb2, play_pb2_grpc


def silence() -> Iterator[play_pb2.PlayRequest]:
    threading.Event().wait()
    yield play_pb2.PlayRequest()


def main() -> None:
    metadata = (("authorization", f"Bearer {os.environ['AURUM_TOKEN']}"),)
    with grpc.insecure_channel(os.environ["AURUM_ADDRESS"], (("grpc.enable_http_proxy", 0),)) as channel:
        stub = play_pb2_grpc.RefereeServiceStub(channel)
        list(stub.Play(silence(), metadata=metadata, wait_for_ready=True))


if __name__ == "__main__":
    main()
