"""Says Hello properly, and then sends answers without end to turns that nobody has asked.

Fault: FLOODED; the stream ends with RESOURCE_EXHAUSTED.
"""

import itertools
import os
from collections.abc import Iterator

import grpc
from aurum.v1 import play_pb2, play_pb2_grpc


def messages() -> Iterator[play_pb2.PlayRequest]:
    yield play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, bot="Floods"))
    for number in itertools.count(1):
        yield play_pb2.PlayRequest(actions=[play_pb2.Action(game=1, number=number)])


def main() -> None:
    metadata = (("authorization", f"Bearer {os.environ['AURUM_TOKEN']}"),)
    with grpc.insecure_channel(os.environ["AURUM_ADDRESS"], (("grpc.enable_http_proxy", 0),)) as channel:
        stub = play_pb2_grpc.RefereeServiceStub(channel)
        list(stub.Play(messages(), metadata=metadata, wait_for_ready=True))


if __name__ == "__main__":
    main()
