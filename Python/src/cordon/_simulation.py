"""Simulations, studies and replays."""

from __future__ import annotations

import math
import numbers
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

import pyarrow as pa

from . import _executable, _frames
from ._contacts import Duration, _metres
from ._errors import InputError
from ._points import duration, existing
from ._run import Run
from ._tables import result

PathLike = Union[str, "os.PathLike[str]"]


def _source(value: Any) -> str:
    return existing(getattr(value, "path", value))


def _set(values: Optional[Mapping[str, Any]]) -> list[str]:
    words = []
    for key, value in (values or {}).items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        words += ["--set", f"{key}={text}"]
    return words


def _options(values: Mapping[str, Any]) -> list[str]:
    """The words of the options that have a value."""
    return [word for name, value in values.items() if value is not None for word in (f"--{name}", str(value))]


def _number(value: Any, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise InputError(f"{name} must be a number, not {value!r}", code="wrong-type")
    return repr(float(value))


def _quiet(progress: bool) -> list[str]:
    return [] if progress else ["--quiet"]


def _list(value: Any, name: str, one: Any = str) -> str:
    values = [value] if isinstance(value, (str, int, float)) or hasattr(value, "total_seconds") else list(value)
    if not values:
        raise InputError(f"{name} is empty")
    return ",".join(one(part) for part in values)


def simulate(
    venue: Any,
    output: Optional[PathLike] = None,
    *,
    people: Optional[int] = None,
    duration: Optional[Duration] = None,  # noqa: A002 - the name of the option
    seed: Optional[int] = None,
    start: Optional[str] = None,
    phones: Optional[str] = None,
    interval: Optional[Duration] = None,
    device_share: Optional[float] = None,
    model: Optional[str] = None,
    distance: Optional[float] = None,
    replicas: Optional[int] = None,
    set: Optional[Mapping[str, Any]] = None,  # noqa: A002 - the name of the option
    options: Sequence[str] = (),
    threads: Optional[int] = None,
    force: bool = False,
    progress: bool = False,
) -> Run:
    """Simulates people and phones in a building.

    Args:
        venue: a map or a scenario: a path or a ``Venue``.
        output: the folder to create; by default a temporary one, which is removed with the ``Run``.
        people: the number of people, by default 300 or the scenario's.
        duration: the simulated time, by default two hours or the scenario's.
        seed: the seed of all random numbers; the same seed gives the same tables.
        start: the start of the simulated time, RFC 3339.
        phones: the positioning error preset: ``perfect``, ``rtt``, ``ble``, ``wifi``, ``gps`` and more.
        interval: the time between two fixes of a phone.
        device_share: the share of people with a phone, 0 to 1.
        model: the movement model: ``csm``, ``avm``, ``way`` or ``meso``.
        distance: the contact distance in metres.
        replicas: the number of runs of a scenario.
        set: values of the scenario by their keys, such as ``{"policies.stagger": "30m"}``.
        options: more words of ``cordon simulate``, as on the command line.
        threads: the maximum number of threads; the result does not depend on it.
        force: whether an existing run in ``output`` is replaced.
        progress: whether progress is shown, by tqdm where it is installed.

    Returns:
        The run.

    Raises:
        InputError: a map, scenario or option that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    words = ["simulate", _source(venue), *_set(set), *options, *_quiet(progress)]
    overlay = getattr(venue, "overlay", None)
    if overlay is not None:
        words += ["--overlay", existing(overlay)]
    words += _options(
        {
            "people": people, "seed": seed, "start": start, "phones": phones, "device-share": device_share,
            "model": model, "replicas": replicas, "threads": threads,
        }
    )  # fmt: skip
    for name, span in (("duration", duration), ("interval", interval)):
        if span is not None:
            words += [f"--{name}", _duration(span, name)]
    if distance is not None:
        words += ["--distance", _metres(distance, "distance")]
    keeper = None
    if output is None:
        keeper = tempfile.mkdtemp(prefix="cordon-")
        output = os.path.join(keeper, "run")
    words += ["-o", os.fspath(output)] + (["--force"] if force else [])
    try:
        finished = _executable.run(words, progress=progress)
    except BaseException:
        if keeper is not None:
            shutil.rmtree(keeper, ignore_errors=True)
        raise
    return Run(output, summary=finished.summary, _keeper=keeper)


_duration = duration


def sweep(
    scenario: Any,
    *,
    phones: Any = ("rtt", "ble", "wifi", "gps"),
    interval: Any = ("5s", "15s", "60s"),
    sampling: Any = None,
    device_share: Any = 1.0,
    recall: float = 0.8,
    precision: float = 0.8,
    seed: Optional[int] = None,
    set: Optional[Mapping[str, Any]] = None,  # noqa: A002 - the name of the option
    page: Optional[PathLike] = None,
    as_kind: str = "arrow",
    threads: Optional[int] = None,
    force: bool = False,
    progress: bool = False,
) -> Any:
    """Compares positioning technologies, sampling rates and adoption on one movement of people.

    Args:
        scenario: a scenario: a path.
        phones: positioning error presets.
        interval: times between two fixes.
        sampling: when phones make fixes: ``library``, ``continuous``, ``motion:TIME``, ``distance:METRES``.
        device_share: shares of people with a phone.
        recall: the required share of true pairs that are warned.
        precision: the required share of warned pairs that are true.
        page: the HTML page to write.

    Returns:
        One row a kind of phones: ``phones``, ``interval_s``, ``sampling``, ``device_share``, ``recall_seconds``,
        ``precision_seconds``, ``recall_pairs``, ``precision_pairs``, ``share_of_all_pairs``, ``battery_percent``,
        ``bytes_per_phone``. The answer is in the summary.

    Raises:
        InputError: a scenario or option that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    words = ["sweep", _source(scenario)]
    words += ["--phones", _list(phones, "phones")]
    words += ["--interval", _list(interval, "interval", lambda span: _duration(span, "interval"))]
    words += ["--device-share", _list(device_share, "device_share", lambda share: _number(share, "device_share"))]
    words += ["--recall", _number(recall, "recall"), "--precision", _number(precision, "precision")]
    if sampling is not None:
        words += ["--sampling", _list(sampling, "sampling")]
    return _study(words, "kinds", set, {"seed": seed, "threads": threads}, page, force, progress, as_kind)


def compare(
    first: Any,
    second: Any,
    *,
    replicas: int = 20,
    seed: Optional[int] = None,
    set: Optional[Mapping[str, Any]] = None,  # noqa: A002 - the name of the option
    page: Optional[PathLike] = None,
    as_kind: str = "arrow",
    threads: Optional[int] = None,
    force: bool = False,
    progress: bool = False,
) -> Any:
    """Compares two scenarios that run repeatedly with the same random numbers.

    Args:
        first: a scenario: a path.
        second: another one.
        replicas: the number of runs of each.
        page: the HTML page to write.

    Returns:
        One row a figure: ``name``, ``title``, ``first``, ``second``, ``difference``, ``low``, ``high`` (the ends of the
        95 % confidence interval), ``clear``, ``sentence``.

    Raises:
        InputError: a scenario or option that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    words = ["compare", _source(first), _source(second)]
    values = {"replicas": replicas, "seed": seed, "threads": threads}
    return _study(words, "differences", set, values, page, force, progress, as_kind)


def _study(
    words: list[str],
    key: str,
    changes: Optional[Mapping[str, Any]],
    values: Mapping[str, Any],
    page: Optional[PathLike],
    force: bool,
    progress: bool,
    as_kind: str,
) -> Any:
    """Runs a command that compares scenarios; returns the rows of its summary."""
    if as_kind not in _frames.KINDS:
        raise InputError(f"as_kind must be one of {', '.join(_frames.KINDS)}, not {as_kind!r}")
    words = [*words, *_set(changes), *_quiet(progress), *_options(values), *_page(page, force)]
    summary = _executable.run(words, progress=progress).summary
    rest = {name: value for name, value in summary.items() if name != key}
    return result(pa.Table.from_pylist(summary[key]), rest, as_kind)


def replay(
    traces: Union[PathLike, Sequence[PathLike]],
    venue: Any,
    output: Optional[PathLike] = None,
    *,
    expect: Optional[PathLike] = None,
    assume_accuracy: Optional[float] = None,
    assume_floor: Optional[float] = None,
    interpolate: Optional[Duration] = None,
    options: Sequence[str] = (),
    force: bool = False,
) -> dict[str, Any]:
    """Replays traces through the library that runs on devices.

    Args:
        traces: recordings: GPX, NMEA, KML, GeoJSON, CSV and more.
        venue: the map: a path or a ``Venue``.
        output: the folder to create, with every decision and a page.
        expect: the file of expectations to check.
        assume_accuracy: the accuracy radius (68 %) of points without one, metres.
        assume_floor: the floor of points without one, by its ordinal.
        interpolate: fixes are interpolated on the lines between points, one per this time.
        options: more words of ``cordon replay``, as on the command line.

    Returns:
        The keys of ``cordon.replay/1``; ``failures`` lists the expectations that do not hold.

    Raises:
        InputError: a trace, map or option that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    paths: list[Any] = [traces] if _frames.is_path(traces) else list(traces)  # type: ignore[arg-type]
    if not paths:
        raise InputError("traces is empty")
    words = ["replay", "run", *map(existing, paths), "--venue", _source(venue), *options, "--quiet"]
    overlay = getattr(venue, "overlay", None)
    if overlay is not None:
        words += ["--overlay", existing(overlay)]
    if expect is not None:
        words += ["--expect", existing(expect)]
    if assume_accuracy is not None:
        words += ["--assume-accuracy", _metres(assume_accuracy, "assume_accuracy")]
    if assume_floor is not None:
        words.append(f"--assume-floor={assume_floor:g}")
    if interpolate is not None:
        words += ["--interpolate", _duration(interpolate, "interpolate")]
    words += _page(output, force)
    summary: dict[str, Any] = _executable.run(words, finds=True).summary
    return summary


def _page(path: Optional[PathLike], force: bool) -> list[str]:
    if path is None:
        return []
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    return ["-o", os.fspath(path)] + (["--force"] if force else [])
