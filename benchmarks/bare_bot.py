"""The other side of the bare ping-pong: answers every message with one of its own, on grpc.aio."""

import asyncio
import sys

import grpc


async def main(address: str) -> None:
    async with grpc.aio.insecure_channel(address, [("grpc.enable_http_proxy", 0)]) as channel:
        play: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/bare.PingPong/Play")
        call = play(wait_for_ready=True)
        await call.write(b"hello")
        while isinstance(await call.read(), bytes):
            await call.write(b"pong")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
