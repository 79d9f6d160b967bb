"""Writes the files that options name: whole or not at all, and found to be impossible before the long work begins."""

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aurum.common.errors import UserError

_PROBE = bytes(64 * 1024)
"""So much room there must be before the work begins: more than most reports need."""
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")
"""Where a file's name stands for something that is open already."""


class ReportFile:
    """A file that an option asks for. A regular file is replaced when the report is complete, never half written.

    Args:
        path: of the file.
        option: what asks for it, for error messages.
        append: add to what is there, as to the summary of a CI run, instead of replacing it.
        fresh: remove at once what an earlier command has written there, which must not be taken for this one's.

    Raises:
        UserError: it cannot be written: no such folder, no permission, no space.
    """

    def __init__(self, path: Path, option: str = "--out", *, append: bool = False, fresh: bool = False) -> None:
        self._path = path
        self._option = option
        self._append = append
        with self._explained():
            self._special = self._is_special()
            self._probe()
            if fresh and not append and not self._special and self._target.exists():
                self._remove()

    @property
    def _target(self) -> Path:
        """The file itself, where the path is a link: the link stays."""
        return Path(os.path.realpath(self._path))

    def put(self, parts: Iterable[str]) -> None:
        """Write the text, given in parts.

        Raises:
            UserError: it cannot be written; then the file is what it was, or empty if it can only be written in place.
        """
        with self._explained():
            if self._special:
                with self._path.open("wb", buffering=0) as file:
                    _write(file.fileno(), parts)
            elif self._append:
                self._add(parts)
            else:
                self._replace(parts)

    def _is_special(self) -> bool:
        """Whether it is a pipe or a device: nothing can be put in its place."""
        if str(Path.cwd() / self._path).startswith(_STREAMS):
            return True
        try:
            mode = self._path.stat().st_mode
        except FileNotFoundError:
            return False
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return not stat.S_ISREG(mode)

    def _probe(self) -> None:
        exists = self._path.exists()
        if exists and not os.access(self._path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if self._special:
            return
        try:
            draft, number = self._draft()
        except PermissionError:
            if not exists:
                raise
            return  # it can be written where it lies, if not replaced
        try:
            _write_all(number, _PROBE)
        finally:
            os.close(number)
            draft.unlink()

    def _remove(self) -> None:
        try:
            self._target.unlink()
        except OSError:  # the folder may not be changed, or the file is mounted there
            os.truncate(self._target, 0)

    def _draft(self) -> tuple[Path, int]:
        """A new file beside the target, and its descriptor."""
        draft = self._target.with_name(f".{self._target.name[:200]}.{secrets.token_hex(4)}.part")
        return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)

    def _replace(self, parts: Iterable[str]) -> None:
        try:
            draft, number = self._draft()
        except PermissionError:
            self._overwrite(parts)
            return
        try:
            try:
                with suppress(FileNotFoundError):
                    os.fchmod(number, stat.S_IMODE(self._target.stat().st_mode))
                _write(number, parts)
            finally:
                os.close(number)
            try:
                draft.replace(self._target)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                self._overwrite([draft.read_text(encoding="utf-8")])  # a single file that is mounted into a container
        finally:
            draft.unlink(missing_ok=True)

    def _overwrite(self, parts: Iterable[str]) -> None:
        with self._target.open("r+b", buffering=0) as file:
            file.truncate()
            try:
                _write(file.fileno(), parts)
            except OSError:
                file.truncate(0)
                raise

    def _add(self, parts: Iterable[str]) -> None:
        with self._target.open("ab", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            try:
                _write(file.fileno(), parts)
            except OSError:
                file.truncate(size)
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UserError(f"{self._option} {self._path}: {error.strerror}") from error


def _write(number: int, parts: Iterable[str]) -> None:
    """Write all parts; what is no character (a byte of a command line that is no UTF-8) becomes a question mark."""
    for part in parts:
        _write_all(number, part.encode("utf-8", "replace"))


def _write_all(number: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(number, rest) :]
