"""Finds and runs the executable."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import IO, Any, Callable, Iterator, Optional, Sequence

from ._errors import CordonError, CordonWarning, ExecutableNotFoundError, InputError, InternalError

#: The environment variable that names another executable.
VARIABLE = "CORDON_EXECUTABLE"

#: The environment variable that names the descriptor whose end the executable ends with.
LIFELINE = "CORDON_LIFELINE"

#: Seconds that an interrupted child has before it is killed.
GRACE = 5.0

#: The words before a note.
_NAME = re.compile(r"^(cordon|note|warning): ")

Feed = Callable[[IO[bytes]], None]


def executable() -> str:
    """Returns the path of the executable.

    ``CORDON_EXECUTABLE`` comes first, then the one in the package, then ``cordon`` on the path.

    Raises:
        ExecutableNotFoundError: there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise ExecutableNotFoundError(f"{VARIABLE} names no executable file", code="not-found", file=named)
        return os.path.abspath(named)
    packaged = Path(__file__).parent / "bin" / "cordon"
    if packaged.is_file():
        if not os.access(packaged, os.X_OK):
            packaged.chmod(packaged.stat().st_mode | 0o111)
        return str(packaged)
    # The entry point of this package has the same name, and would call itself.
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("cordon", path=folder)
        if found and Path(folder).resolve() != Path(sys.executable).parent.resolve() and not _is_script(found):
            return found
    raise ExecutableNotFoundError(
        f"the package holds no executable; install a wheel, or name one with {VARIABLE}", code="not-found"
    )


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


class Finished:
    """The result of a command.

    Attributes:
        summary: the JSON object on standard output, ``None`` without one.
        exit_status: 0, or 1 for findings.
    """

    def __init__(self, summary: Any, exit_status: int) -> None:
        self.summary = summary
        self.exit_status = exit_status


def run(
    arguments: Sequence[str],
    *,
    feed: Optional[Feed] = None,
    progress: bool = False,
    finds: bool = False,
) -> Finished:
    """Runs the executable with ``--json`` to its end.

    Args:
        arguments: the words of the command, without ``--json``.
        feed: writes standard input, on a thread of its own; without it standard input is empty.
        progress: whether progress is shown.
        finds: whether status 1 is a result; else it is an error.

    Raises:
        InputError: wrong use or input; with the executable's message, place and code.
        InternalError: an internal error, or an end by a signal.
        KeyboardInterrupt: after the child has ended.
    """
    command = [executable(), *arguments, "--json"]
    output: list[bytes] = []
    notes: list[str] = []
    faults: list[BaseException] = []
    shown = _Progress(progress, arguments)
    child: Optional[subprocess.Popen[bytes]] = None

    def write(child: subprocess.Popen[bytes]) -> None:
        assert feed is not None and child.stdin is not None
        try:
            with child.stdin as pipe:
                feed(pipe)
        except BrokenPipeError:
            pass  # The child has ended; its own message says why.
        except BaseException as fault:  # noqa: BLE001 - raised again on the caller's thread
            faults.append(fault)
            child.kill()

    def read_output(child: subprocess.Popen[bytes]) -> None:
        assert child.stdout is not None
        output.append(child.stdout.read())

    def read_notes(child: subprocess.Popen[bytes]) -> None:
        assert child.stderr is not None
        for line in _lines(child.stderr):
            if shown.take(line):
                continue
            detail = _NAME.sub("", line)
            if detail.startswith(" ") and notes:
                # Details belong to the line above.
                notes[-1] += "\n" + detail
            else:
                notes.append(line)

    held: Optional[int] = None
    try:
        with _interrupts_deferred():
            child, held = started(command, reads=feed is not None)
        work = [read_output, read_notes] + ([write] if feed else [])
        threads = [threading.Thread(target=each, args=(child,), daemon=True) for each in work]
        for thread in threads:
            thread.start()
        child.wait()
        for thread in threads:
            thread.join()
    except BaseException:
        if child is not None:
            _end(child)
        raise
    finally:
        if held is not None:
            os.close(held)
        shown.close()
        for pipe in (child.stdout, child.stderr) if child is not None else ():
            if pipe:
                pipe.close()
    if faults:
        raise faults[0]
    return _result(child.returncode, output, notes, finds)


def started(command: Sequence[str], reads: bool = True) -> tuple["subprocess.Popen[bytes]", int]:
    """Starts a process that ends when this one is killed.

    Args:
        reads: whether something is written to its standard input.

    Returns:
        the process, and the descriptor whose end it ends with; the caller closes it.
    """
    # Only this process holds the writing end. When it is killed, the system closes it, and the child ends too.
    watched, held = os.pipe()
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A terminal sends Ctrl-C to its whole group; here one signal reaches the child, from below.
            start_new_session=True,
            pass_fds=(watched,),
            env={**os.environ, LIFELINE: str(watched)},
        )
    except BaseException:
        os.close(held)
        raise
    finally:
        os.close(watched)
    if child.stdin is not None and hasattr(fcntl, "F_SETPIPE_SZ"):
        # Fewer turns of writer and reader; the system may allow less.
        with contextlib.suppress(OSError):
            fcntl.fcntl(child.stdin, fcntl.F_SETPIPE_SZ, 1 << 20)
    return child, held


@contextlib.contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Raises KeyboardInterrupt at the end only, so that a child that has started is known."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    received: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: received.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if received:
        handler(*received[0])


def _lines(pipe: IO[bytes]) -> Iterator[str]:
    for line in pipe:
        text = line.decode("utf-8", "replace").rstrip()
        if text:
            yield text


def _end(child: subprocess.Popen[bytes]) -> None:
    """Interrupts the child as Ctrl-C does, twice, and kills it when that does not help."""
    for wanted in (signal.SIGINT, signal.SIGINT, signal.SIGKILL):
        if child.poll() is not None:
            return
        try:
            child.send_signal(wanted)
            child.wait(GRACE / 2)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    child.wait()


def _result(status: int, output: list[bytes], notes: list[str], finds: bool) -> Finished:
    summary: Any = None
    text = b"".join(output).strip()
    if text:
        try:
            summary = json.loads(text)
        except ValueError:
            summary = None
    if status == 0 or (status == 1 and finds and summary is not None):
        for note in notes:
            warnings.warn(_NAME.sub("", note), CordonWarning, stacklevel=_outside())
        return Finished(summary, status)
    raise _error(status, notes)


def _outside() -> int:
    """Returns the ``stacklevel`` of the first caller outside of the package, so that a warning names the user's line."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level


def _in_python(message: str) -> str:
    """Words a message of the executable for callers of functions: arguments instead of options."""
    message = re.sub(r"; see 'cordon [^']*--help'$", "", message)
    message = message.replace(", and --device-from file takes each file as one device", "")
    message = re.sub(r"--column (\w+)=NAME names (it|one)", r"columns={'\1': NAME} names \2", message)
    message = re.sub(r"^the value '(.*)' is invalid for '(--[a-z-]+) <[^>]*>'$", r"\2: '\1' cannot be used", message)
    option = re.match(r"--([a-z][a-z-]*)(?=:? )", message)
    if option is None:
        return message
    return _ARGUMENTS.get(option[1], option[1].replace("-", "_")) + message[option.end() :]


#: Arguments with other names than their options.
_ARGUMENTS = {"maximum-gap": "max_gap", "generations": "max_trace_depth", "index": "entities_of_interest"}


def _error(status: int, notes: list[str]) -> CordonError:
    for note in reversed(notes):
        if not note.startswith("{"):
            continue
        try:
            fault = json.loads(note)
        except ValueError:
            continue
        if fault.get("schema") == "cordon.error/1":
            kind = InternalError if fault.get("code") == "internal" else InputError
            file = fault.get("file")
            return kind(
                _in_python(fault.get("message", "")),
                code=fault.get("code", "usage"),
                # A frame comes through standard input.
                file=None if file == "-" else file,
                place=fault.get("place"),
                exit_status=fault.get("exit_status", status),
            )
    last = notes[-1] if notes else "no message"
    if status < 0:
        return InternalError(
            f"the executable was ended by signal {-status}: {last}", code="signal", exit_status=128 - status
        )
    return InternalError(
        f"the executable ended with status {status}: {last}", code="internal", exit_status=status
    )


class _Progress:
    """Shows the progress lines of the executable as a bar of tqdm, or as they are without tqdm."""

    _line = re.compile(r"^(?P<phase>.+?)\s{2,}(?:(?P<percent>\d+) %|(?P<seconds>\d+) s$)")

    def __init__(self, wanted: bool, arguments: Sequence[str]) -> None:
        self._bar: Any = None
        self._wanted = wanted
        if not wanted:
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self._bar = tqdm(total=100, unit="%", desc=" ".join(arguments[:2]), leave=False)

    def take(self, line: str) -> bool:
        """Whether a line of standard error is progress, which it then shows."""
        found = self._line.match(line)
        if not found:
            return False
        if self._bar is not None:
            self._bar.set_description(found["phase"].strip(), refresh=False)
            if found["percent"]:
                self._bar.n = int(found["percent"])
            self._bar.refresh()
        elif self._wanted:
            print(line, file=sys.stderr)
        return True

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
