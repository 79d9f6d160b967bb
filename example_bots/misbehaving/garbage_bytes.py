"""Says Hello properly, and answers its first turn with bytes that are no PlayRequest.

Fault: MALFORMED_MESSAGE; the stream ends with INVALID_ARGUMENT.
"""

import os
from collections.abc import Iterator
from threading import Event

import grpc
from aurum.v1 import play_pb2

asked = Event()


def messages() -> Iterator[bytes]:
    yield play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1, bot="GarbageBytes")).SerializeToString()
    asked.wait()
    yield b"\xff\xff\xff\xff"


def main() -> None:
    metadata = (("authorization", f"Bearer {os.environ['AURUM_TOKEN']}"),)
    with grpc.insecure_channel(os.environ["AURUM_ADDRESS"], (("grpc.enable_http_proxy", 0),)) as channel:
        # Without serializers, messages are bytes as they are.
        play: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/aurum.v1.RefereeService/Play")
        for message in play(messages(), metadata=metadata, wait_for_ready=True):
            if any(update.HasField("turn") for update in play_pb2.PlayResponse.FromString(message).updates):
                asked.set()


if __name__ == "__main__":
    main()
