"""Requests that one executable answers after the other."""

import os
import signal
import threading

import pyarrow as pa
import pytest

import cordon
from cordon import _worker


@pytest.fixture
def started(tmp_path, monkeypatch):
    """The executable, and the process numbers of all that were started."""
    stub = tmp_path / "cordon"
    stub.write_text(f'#!/bin/sh\necho $$ >> "{tmp_path}/started"\nexec "{cordon.executable()}" "$@"\n')
    stub.chmod(0o755)
    monkeypatch.setenv("CORDON_EXECUTABLE", str(stub))
    yield lambda: [int(line) for line in (tmp_path / "started").read_text().split()]
    if _worker._local.worker is not None:
        _worker._local.worker.end()


def points(second, distance=1.0):
    rows = [(name, second * 1_000_000 + time * 1_000_000, x) for time in range(0, 60, 5) for name, x in (("a", 0.0), ("b", distance))]
    return pa.table(
        {
            "device": [row[0] for row in rows],
            "time": pa.array([1_772_400_000_000_000 + row[1] for row in rows], pa.timestamp("us", "UTC")),
            "x": [row[2] for row in rows], "y": [0.0] * len(rows),
        }
    )  # fmt: skip


def found(table):
    return cordon.contacts(table, metres=True, as_kind="arrow").to_pylist()


def test_one_executable_answers_many_requests_as_many_do(started):
    tables = [points(second, distance) for second, distance in ((0, 1.0), (100, 1.5), (200, 3.0), (300, 0.5))]
    alone = [found(table) for table in tables]
    assert len(started()) == 4 and list(map(len, alone)) == [1, 1, 0, 1]
    with _worker.kept():
        assert [found(table) for table in tables] == alone
        bins = cordon.occupancy(tables[0], bin="10s", metres=True, as_kind="arrow")
    assert bins["peak"].to_pylist() == [2] * bins.num_rows and bins.num_rows > 3
    assert len(started()) == 5
    # It stays for the next ones, and only for those.
    with _worker.kept():
        assert found(tables[1]) == alone[1]
    assert len(started()) == 5
    found(tables[0])
    assert len(started()) == 6


def test_an_executable_that_is_gone_is_replaced(started):
    with _worker.kept():
        wanted = found(points(0))
        os.kill(started()[0], signal.SIGKILL)
        _worker._local.worker._child.wait()
        assert found(points(0)) == wanted and len(started()) == 2
        # It ended by itself when the request was on its way.
        worker = _worker._local.worker
        worker._child.stdin.close()
        worker._child.wait()
        worker._child.stdin = open(os.devnull, "wb")
        assert worker.answer(["find"], lambda pipe: None) is None
        assert found(points(0)) == wanted and len(started()) == 3


def test_an_executable_that_is_killed_at_work_is_a_fault_of_its_request(started):
    from cordon import _points

    def kill(pipe):
        os.kill(started()[-1], signal.SIGKILL)

    with _worker.kept():
        wanted = found(points(0))
        given = _points.prepare(points(0), metres=True)
        with pytest.raises(cordon.InternalError, match="ended by signal 9"):
            _worker.run(["contacts", "find", *given.arguments], kill)
        assert found(points(0)) == wanted and len(started()) == 2


def test_faults_are_those_of_their_request(started):
    with _worker.kept():
        wanted = found(points(0))
        with pytest.raises(cordon.InputError, match="distance must be from 0"):
            cordon.contacts(points(0), metres=True, distance="-5")
        with pytest.raises(cordon.InputError, match="follows the end of the value") as caught:
            cordon.contacts(points(0), metres=True, venue=__file__)
        assert caught.value.file == os.path.basename(__file__)
        assert found(points(0)) == wanted

        # Of the caller: what was sent is not known.
        def fails(pipe):
            raise RuntimeError("of the caller")

        with pytest.raises(RuntimeError, match="of the caller"):
            _worker.run(["contacts", "find", "-"], fails)
        assert found(points(0)) == wanted


def test_threads_and_other_settings_have_executables_of_their_own(started, monkeypatch, tmp_path):
    with _worker.kept():
        wanted = found(points(0))
        others = []

        def other():
            with _worker.kept():
                others.append(found(points(0)))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert others == [wanted] and len(started()) == 2
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        assert found(points(0)) == wanted and len(started()) == 3
        assert found(points(0)) == wanted and len(started()) == 3
