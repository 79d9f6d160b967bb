"""The other side of the bare ping-pong: answers every turn with its first card, on generated code alone."""

import asyncio
import sys

import grpc
from aurum.v1 import play_pb2, play_pb2_grpc


async def main(address: str) -> None:
    async with grpc.aio.insecure_channel(address, [("grpc.enable_http_proxy", 0)]) as channel:
        call = play_pb2_grpc.RefereeServiceStub(channel).Play(wait_for_ready=True)
        await call.write(play_pb2.PlayRequest())
        while isinstance(response := await call.read(), play_pb2.PlayResponse):
            turn = response.updates[0].turn
            action = play_pb2.Action(game=turn.game, number=turn.number, card=turn.legal_cards[0])
            await call.write(play_pb2.PlayRequest(actions=[action]))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
