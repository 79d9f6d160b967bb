"""Compile a C++ file, unless the same text was compiled before: what CMAKE_CXX_COMPILER_LAUNCHER runs.

    python tests/compile_once.py COMPILER OPTION ... -o OBJECT -c FILE

The SDK is compiled for its own tests, for the example bots, and for a new bot that brings a copy of it. Its text, once
the preprocessor is through with it, is the same each time. The folder that COMPILED names keeps the objects. One serves
again for the same text with the same options, unless warnings are asked for that were not asked for when it was made.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

FOLLOWED = {"-o", "-c", "-D", "-I", "-isystem", "-MF", "-MT"}
"""Options that a word of their own follows, about where files are, or what the preprocessor knows."""


def main(command: list[str]) -> int:
    """Run the command, or do what it would do; returns its exit code."""
    store = os.environ.get("COMPILED")
    if not store or "-c" not in command:
        return subprocess.call(command)
    # What __FILE__ names is the same wherever the folders of headers lie.
    folders = [after for word, after in pairwise(command) if word in ("-I", "-isystem")]
    command = [*command, *(f"-fmacro-prefix-map={folder}/=" for folder in folders)]
    at = command.index("-o")
    output = command[at + 1]
    words = command[:at] + command[at + 2 :]
    # With the options that write down the dependencies, which make reads next time.
    words[words.index("-c")] = "-E"
    preprocessed = subprocess.run([*words, "-P"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if preprocessed.returncode:
        return subprocess.call(command)
    options = _options(command)
    warnings = {option for option in options if option.startswith("-W")}
    key = hashlib.sha256(preprocessed.stdout)
    key.update(" ".join(option for option in options if option not in warnings).encode())
    stored = Path(store) / f"{key.hexdigest()}.o"
    asked = stored.with_suffix(".warnings")
    if asked.is_file() and warnings <= set(asked.read_text(encoding="utf-8").split()):
        shutil.copyfile(stored, output)
        return 0
    if code := subprocess.call(command):
        return code
    stored.parent.mkdir(parents=True, exist_ok=True)
    asked.unlink(missing_ok=True)
    shutil.copyfile(output, stored)
    asked.write_text("\n".join(sorted(warnings)), encoding="utf-8")
    return 0


def _options(command: list[str]) -> list[str]:
    """What the object depends on beside the text."""
    kept, words = [], iter(command)
    for word in words:
        if word in FOLLOWED:
            next(words, None)
        elif not word.startswith(("-D", "-I", "-M", "-fmacro-prefix-map=")):
            kept.append(word)
    return kept


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
