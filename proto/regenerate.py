"""Make the Python code of the protocol, or check that it is current.

    python proto/regenerate.py           write proto/aurum/v1/*_pb2*.py[i], and their digests
    python proto/regenerate.py --check   exit 1 and name the files that are not as they were written, by digest alone
    python proto/regenerate.py --verify  make them again, and exit 1 and name those that differ

The one way generated code is made. Its tools are no libraries of the arena: they get an environment of their own,
build/proto-tools, when they are needed.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROTO = Path(__file__).resolve().parent
DIGESTS = PROTO / "digests.txt"
"""Of the .proto files and of what was made from them: `sha256sum --check` reads it, too."""

COMPILER = "grpcio-tools==1.62.3"
"""Its code is of protobuf 4.25.1, and loads on every protobuf from that one to 8: so protobuf's guarantee says, which
makes an exception for Python code from 3.20 on (https://protobuf.dev/support/cross-version-runtime-guarantee). Code of
newer tools refuses to load on older libraries, and bots have to live with what their other libraries ask for."""

STUBS = "mypy-protobuf==5.1.0"
"""Writes the type stubs; those of grpcio-tools leave services untyped."""

PYTHONS = ((3, 12), (3, 11))
"""Those that there is a built `COMPILER` for."""

ENVIRONMENT = PROTO.parent / "build/proto-tools"


def _suitable_python() -> str:
    if sys.version_info[:2] in PYTHONS:
        return sys.executable
    names = [f"python{major}.{minor}" for major, minor in PYTHONS]
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise SystemExit(f"{COMPILER} runs on {' or '.join(names)} alone: install one of them")
    return found


def tools() -> Path:
    """The programs of the environment of the tools, which is made unless it is there."""
    made = ENVIRONMENT / "made"
    wanted = f"{COMPILER} {STUBS}\n"
    programs = ENVIRONMENT / "bin"
    if made.is_file() and made.read_text(encoding="utf-8") == wanted:
        return programs
    print(f"setting up {ENVIRONMENT.relative_to(PROTO.parent)}", file=sys.stderr)
    folder = str(ENVIRONMENT)
    pip = [sys.executable, "-m", "pip", "--python", folder, "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [_suitable_python(), "-m", "venv", "--clear", "--without-pip", folder],
        [*pip, STUBS],
        # Without its dependencies: it asks for a protobuf that STUBS does not take, and only its compiler is run.
        [*pip, "--no-deps", COMPILER],
    ):
        if subprocess.run(command, check=False).returncode != 0:
            raise SystemExit("the tools cannot be installed: see the message above")
    made.write_text(wanted, encoding="utf-8")
    return programs


def generate(out: Path) -> None:
    """Write the generated files of every .proto under `out`; raises SystemExit if protoc refuses one."""
    programs = tools()
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("aurum/v1/*.proto"))
    plugins = [f"--plugin=protoc-gen-{name}={programs / f'protoc-gen-{name}'}" for name in ("mypy", "mypy_grpc")]
    plugins += [f"--{name}_out={out}" for name in ("python", "grpc_python")]
    plugins += [f"--{name}_out=quiet:{out}" for name in ("mypy", "mypy_grpc")]
    command = [str(programs / "python"), "-m", "grpc_tools.protoc", f"-I{PROTO}", *plugins, *sources]
    if subprocess.run(command, check=False).returncode != 0:
        raise SystemExit("protoc failed: see its message above")


def _generated(root: Path) -> dict[str, bytes]:
    # A file without a service gets an empty service module: not worth keeping.
    return {
        path.name: path.read_bytes()
        for path in (root / "aurum/v1").glob("*_pb2*.py*")
        if "_grpc" not in path.name or path.name.startswith("play_")
    }


def _digests() -> dict[str, str]:
    """By file, of all that is there."""
    protos = {path.name: path.read_bytes() for path in PROTO.glob("aurum/v1/*.proto")}
    contents = protos | _generated(PROTO)
    return {name: hashlib.sha256(contents[name]).hexdigest() for name in sorted(contents)}


def _written_digests() -> dict[str, str]:
    lines = DIGESTS.read_text(encoding="utf-8").splitlines()
    return {name.removeprefix("aurum/v1/"): digest for digest, name in (line.split("  ") for line in lines)}


def _different(some: dict[str, str] | dict[str, bytes], others: dict[str, str] | dict[str, bytes]) -> list[str]:
    return sorted(name for name in some.keys() | others.keys() if some.get(name) != others.get(name))


def main() -> None:
    checks = {"--check", "--verify"} & set(sys.argv[1:])
    fresh: dict[str, bytes] = {}
    if "--check" not in checks:
        with tempfile.TemporaryDirectory() as folder:
            generate(Path(folder))
            fresh = _generated(Path(folder))
    present = _generated(PROTO)
    if checks:
        stale = _different(fresh, present) if fresh else _different(_digests(), _written_digests())
        if stale:
            raise SystemExit(f"not current: {', '.join(stale)}; run: python proto/regenerate.py")
        return
    for name in present.keys() - fresh.keys():
        (PROTO / "aurum/v1" / name).unlink()
    for name, content in fresh.items():
        (PROTO / "aurum/v1" / name).write_bytes(content)
    lines = [f"{digest}  aurum/v1/{name}\n" for name, digest in _digests().items()]
    DIGESTS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
