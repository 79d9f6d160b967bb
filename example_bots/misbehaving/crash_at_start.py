"""Crashes before it has said Hello, as a bot does whose model file was not copied.

Fault: START_FAILED, with the end of the traceback. After five such starts in a row the bot is benched.
"""

from pathlib import Path

from aurum.bot import Bot, run


class CrashAtStart(Bot):
    def setup(self) -> None:
        Path("weights-that-nobody-copied.bin").read_bytes()


if __name__ == "__main__":
    run(CrashAtStart)
