"""An executable ends when the process that started it is killed."""

import os
import pathlib
import subprocess
import sys
import textwrap
import time

import cordon


def is_running(number):
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait(condition, what):
    limit = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < limit, what
        time.sleep(0.02)


def test_a_killed_caller_ends_the_executable(tmp_path, office):
    stub = tmp_path / "cordon"
    stub.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"\nexec "{cordon.executable()}" "$@"\n')
    stub.chmod(0o755)
    script = textwrap.dedent(
        f"""
        import cordon
        cordon.simulate({str(office)!r}, {str(tmp_path / "run")!r}, people=2000, duration="9h", threads=1)
        """
    )
    caller = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "CORDON_EXECUTABLE": str(stub)})
    try:
        wait(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip(), "the executable did not start")
        number = int((tmp_path / "pid").read_text())
        # Its hidden folder shows that it works.
        wait(lambda: len(list(tmp_path.iterdir())) > 2 or caller.poll() is not None, "the simulation did not start")
        assert caller.poll() is None and is_running(number)
    finally:
        caller.kill()
        caller.wait()
    wait(lambda: not is_running(number), "the executable did not end")
    assert not (tmp_path / "run").exists()


def test_concurrent_runs_do_not_hold_each_other(meeting):
    import concurrent.futures

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: len(cordon.contacts(meeting, max_gap="5s")), range(8)))
    assert found == [1] * 8
    held = [os.readlink(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{number}")]
    assert sum(name.startswith("pipe:") for name in held) < 40
