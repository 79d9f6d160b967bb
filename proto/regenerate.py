"""Make the Python code of the protocol, or check that it is current.

    python proto/regenerate.py           write proto/aurum/v1/*_pb2*.py[i]
    python proto/regenerate.py --check   exit 1 and name the files that differ

The one way generated code is made: grpcio-tools at the version pyproject.toml pins, whose output
loads on every later protobuf without a warning, and mypy-protobuf for the type stubs.
"""

import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent


def generate(out: Path) -> None:
    """Write the generated files of every .proto under `out`; raises SystemExit if protoc refuses one."""
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("aurum/v1/*.proto"))
    includes = [f"-I{PROTO}", f"-I{resources.files('grpc_tools') / '_proto'}"]
    tools = Path(sys.executable).parent  # the plugins of this environment, activated or not
    plugins = [f"--plugin=protoc-gen-{name}={tools / f'protoc-gen-{name}'}" for name in ("mypy", "mypy_grpc")]
    plugins += [f"--{name}_out={out}" for name in ("python", "grpc_python", "mypy", "mypy_grpc")]
    if protoc.main(["protoc", *includes, *plugins, *sources]) != 0:
        raise SystemExit("protoc failed: see its message above")


def _generated(root: Path) -> dict[str, bytes]:
    # A file without a service gets an empty service module: not worth keeping.
    return {
        path.name: path.read_bytes()
        for path in (root / "aurum/v1").glob("*_pb2*.py*")
        if "_grpc" not in path.name or path.name.startswith("play_")
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = _generated(Path(folder))
    present = _generated(PROTO)
    if "--check" in sys.argv[1:]:
        stale = sorted(name for name in fresh.keys() | present.keys() if fresh.get(name) != present.get(name))
        if stale:
            raise SystemExit(f"not current: {', '.join(stale)}; run: python proto/regenerate.py")
        return
    for name in present.keys() - fresh.keys():
        (PROTO / "aurum/v1" / name).unlink()
    for name, content in fresh.items():
        (PROTO / "aurum/v1" / name).write_bytes(content)


if __name__ == "__main__":
    main()
