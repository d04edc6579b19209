"""An executable that stays and answers one request after the other, so that its start and its memory are paid for once."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
from typing import IO, Any, Iterator, Optional, Sequence

from . import _executable
from ._executable import Feed, Finished

#: The commands whose requests it answers: they read standard input up to the end of an Arrow stream.
_COMMANDS = ("find", "occupancy")


class _Local(threading.local):
    """Of a thread: whether it keeps an executable, and the one that it has."""

    is_kept = False
    worker: Optional["Worker"] = None


_local = _Local()


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Requests of this thread are answered by one executable, which stays for those that follow."""
    before, _local.is_kept = _local.is_kept, True
    try:
        yield
    finally:
        _local.is_kept = before


def run(arguments: Sequence[str], feed: Optional[Feed]) -> Optional[Finished]:
    """Runs a command of the executable that is kept.

    Returns:
        its result; ``None`` when none is kept, or it does not answer such requests.
    """
    if not _local.is_kept or feed is None or arguments[0] != "contacts" or arguments[1] not in _COMMANDS:
        return None
    worker = _local.worker
    # An executable that had nothing to do for long has ended.
    is_fresh = worker is None or not worker.is_ready
    if is_fresh:
        if worker is not None:
            worker.end()
        worker = _local.worker = Worker()
    assert worker is not None
    finished = worker.answer([*arguments[1:], "--json"], feed)
    if finished is None:
        # It ended while the request was on its way.
        worker.end()
        worker = _local.worker = Worker()
        finished = worker.answer([*arguments[1:], "--json"], feed)
    if finished is None:
        raise _executable._error(0, worker.notes)
    return finished


class Worker:
    """A process of ``cordon contacts worker``. It ends with this process, or when it has nothing to do for a minute."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._folder = os.getcwd()
        self._owner = os.getpid()
        self.notes: list[str] = []
        self._held: Optional[int] = None
        self._child, self._held = _executable.started([_executable.executable(), "contacts", "worker", "--json"])
        # It knows nothing of this object, which can go while it reads.
        self._reader = threading.Thread(target=_read, args=(self._child.stderr, self.notes), daemon=True)
        self._reader.start()

    def __del__(self) -> None:
        if self._held is not None:
            self.end()

    @property
    def is_ready(self) -> bool:
        """Whether the process is there, and is the one that a new one would be."""
        return (
            self._owner == os.getpid() and self._child.poll() is None and self._environment == os.environ
            and self._folder == os.getcwd()
        )  # fmt: skip

    def answer(self, words: Sequence[str], feed: Feed) -> Optional[Finished]:
        """Sends a request and its points, and waits for the answer.

        Returns:
            the result; ``None`` when the process ended as if it had nothing to do.

        Raises:
            InputError: wrong use or input.
            InternalError: a fault of the executable, or an end by a signal.
        """
        self.notes.clear()
        try:
            line = self._asked(words, feed)
        except BaseException:
            # It may have read a part of the points.
            self.end()
            raise
        if line:
            return Finished(json.loads(line), 0)
        status = self._child.wait()
        self._reader.join()
        notes = list(self.notes)
        self.end()
        if status == 0:
            return None
        raise _executable._error(status, notes)

    def _asked(self, words: Sequence[str], feed: Feed) -> bytes:
        assert self._child.stdin is not None and self._child.stdout is not None
        # It writes nothing before it has read all, and little then: no pipe fills up.
        try:
            self._child.stdin.write(json.dumps(list(words)).encode() + b"\n")
            feed(self._child.stdin)
            self._child.stdin.flush()
        except BrokenPipeError:
            return b""
        return self._child.stdout.readline()

    def end(self) -> None:
        """Ends the process, unless it is that of another process that was forked from."""
        if self._owner != os.getpid():
            return
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()
        self._reader.join()
        pipes: list[Optional[IO[bytes]]] = [self._child.stdin, self._child.stdout, self._child.stderr]
        for pipe in pipes:
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        if self._held is not None:
            os.close(self._held)
            self._held = None


def _read(pipe: IO[bytes], notes: list[str]) -> None:
    for line in _executable._lines(pipe):
        notes.append(line)
