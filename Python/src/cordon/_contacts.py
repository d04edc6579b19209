"""Contacts and what follows from them."""

from __future__ import annotations

import json
import numbers
from typing import Any, Mapping, Optional, Sequence, Union

import pyarrow as pa

from . import _tables
from ._errors import InputError
from ._frames import _import
from ._points import Input, PointsLike, duration, existing, prepare

Duration = Union[str, int, float, Any]

def _prepared(points: PointsLike, reading: Mapping[str, Any]) -> Input:
    known = {"columns", "time_unit", "time_zone", "metres", "strict", "as_kind", "entity_id_field", "source", "origin"}
    for name in reading:
        if name not in known:
            raise TypeError(f"unexpected argument '{name}'; those of reading points are {', '.join(sorted(known))}")
    values = dict(reading)
    source, origin = values.pop("source", None), values.pop("origin", None)
    entity = values.pop("entity_id_field", None)
    if entity is not None:
        values["columns"] = {**(values.get("columns") or {}), "device": entity}
    given = prepare(points, **values)
    if source is not None:
        given.arguments += ["--source", source]
    if origin is not None:
        given.arguments += ["--origin=" + ",".join(map(repr, _place(origin)))]
    return given


def _place(origin: Any) -> tuple[float, float]:
    """Returns longitude and latitude.

    Raises:
        InputError: it is not a pair of numbers.
    """
    try:
        longitude, latitude = [] if isinstance(origin, str) else origin
        return float(longitude), float(latitude)
    except (TypeError, ValueError) as error:
        raise InputError("origin must be a pair of numbers: longitude and latitude") from error


def _common(max_gap: Optional[Duration], venue: Any) -> list[str]:
    words: list[str] = []
    if max_gap is not None:
        words.append("--maximum-gap=" + duration(max_gap, "max_gap"))
    if venue is not None:
        words += ["--venue", existing(getattr(venue, "path", venue))]
        overlay = getattr(venue, "overlay", None)
        if overlay is not None:
            words += ["--overlay", existing(overlay)]
    return words


def _metres(value: Any, name: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= float(value) <= 1e6:
        raise InputError(f"{name} must be from 0 to 1000000 metres, not {value!r}")
    return repr(float(value))


def _finder(distance: Any, unknown_floors: str, threads: int) -> list[str]:
    words = ["--unknown-floors", unknown_floors, "--threads", str(threads)]
    # As one word: text may begin with a hyphen.
    return words if distance is None else [*words, "--distance=" + _metres(distance, "distance")]


def contacts(
    points: PointsLike,
    distance: Optional[Any] = 2.0,
    max_gap: Optional[Duration] = "30s",
    rule: str = "exact",
    venue: Any = None,
    *,
    line_of_sight: bool = False,
    tick: Optional[Duration] = None,
    reach: Optional[float] = None,
    confidence: float = 0.8,
    seed: int = 1,
    unknown_floors: str = "flagged",
    threads: int = 1,
    progress: bool = False,
    **reading: Any,
) -> Any:
    """Finds the contacts of all pairs of devices.

    A contact is a maximal interval in which two devices are within ``distance`` on one floor. Consecutive fixes of a
    device are joined by straight segments when at most ``max_gap`` lies between them.

    Args:
        points: rows with a device, a time and a place: a pandas or polars DataFrame, an Arrow table, a GeoDataFrame, a
            ``Run``, or paths to CSV, JSON Lines, Parquet or GeoParquet. ``max_gap=None`` and ``distance=None`` stand for
            those of a run.
        distance: the contact distance in metres, inclusive.
        max_gap: the longest time between two fixes that are joined: ``"30s"``, seconds, a ``timedelta``, or ``"auto"``
            for three times the typical interval.
        rule: ``exact``, ``sampled``, ``probable`` or ``published-minutes``.
        venue: the map, for spaces and walls: a path or a ``Venue``.
        line_of_sight: whether ``wall_share`` is computed, the share of each contact with a wall between the two.
        tick: rule ``sampled``: the length of a tick; by default the typical interval.
        reach: rule ``probable``: the distance in metres up to which contacts are found.
        confidence: rule ``probable``: the mean probability of an assertable contact, above 0.5.
        seed: rule ``probable``: the seed of the simulations of ``p_15min``.
        unknown_floors: ``flagged`` (devices on unknown floors can meet) or ``never``.
        threads: the maximum number of threads; the result does not depend on it.
        progress: whether progress is shown, by tqdm where it is installed.
        columns: the columns of fields, such as ``{"device": "badge"}``; others are found by common names. Fields: device,
            time, longitude, latitude, x, y, geometry, floor, accuracy, still_until, venue.
        entity_id_field: the column of devices.
        time_unit: the unit of times that are numbers: ``s``, ``ms``, ``us`` or ``ns``; by default the column's name or the
            size of the numbers decides.
        time_zone: the zone of times without one (``Europe/Berlin``, ``+02:00``), by default UTC.
        metres: whether places are metres even if they look like degrees.
        origin: longitude and latitude of the origin of the plane; by default the middle of the points.
        strict: whether a row that cannot be used is an error; else such rows are left out, with a warning.
        source: of a run: ``observed`` (by default) or ``truth``.
        as_kind: the kind of the result: ``pandas``, ``polars``, ``arrow`` or ``geopandas``; by default that of ``points``,
            and ``arrow`` for paths and runs.

    Returns:
        One row a contact, by start: ``device_a``, ``device_b``, ``floor`` (ordinal), ``start``, ``end`` (UTC,
        microseconds), ``duration_s``, ``min_distance_m``, ``min_distance_time``, ``x_m``, ``y_m``, ``longitude``,
        ``latitude`` (degrees), and with a map ``space_a``, ``space_b``. The summary is in ``attrs["cordon"]`` of pandas
        and in the metadata ``cordon`` of Arrow.

    Raises:
        InputError: points or arguments that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + _finder(distance, unknown_floors, threads) + ["--rule", rule]
    optional = ["venue"]
    if line_of_sight:
        words.append("--line-of-sight")
    else:
        optional.append("wall_share")
    if tick is not None:
        words += ["--tick", duration(tick, "tick")]
    if rule == "probable":
        words += ["--confidence", repr(confidence), "--seed", str(seed)]
        if reach is not None:
            words += ["--reach", _metres(reach, "reach")]
    else:
        optional += ["expected_contact_s", "p_15min", "assertable", "share_unknown"]
    if venue is None:
        optional += ["space_a", "space_b"]
    table, summary = _tables.compute(
        ["contacts", "find"], given, words, _tables.CONTACTS, progress=progress, without=optional
    )
    return _tables.result(table, summary, given.kind)


def _count(
    points: PointsLike,
    starts: tuple[Optional[str], Optional[str]],
    distance: Any,
    max_gap: Optional[Duration],
    venue: Any,
    unknown_floors: str,
    **reading: Any,
) -> int:
    """Counts the contacts that start at the first time or later, and before the second one; both are text or ``None``."""
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + _finder(distance, unknown_floors, 1)
    for option, time in zip(("--starting-from", "--starting-before"), starts):
        if time is not None:
            words += [option, time]
    return int(_tables.summary(["contacts", "find"], given, words)["contacts"])


def exposures(
    points: PointsLike,
    rule: str = "eu-2m",
    max_gap: Optional[Duration] = "30s",
    *,
    distance: Optional[float] = None,
    threshold: Optional[Duration] = None,
    window: Optional[Duration] = None,
    weighted: bool = False,
    all_pairs: bool = False,
    entity_of_interest: Optional[str] = None,
    onset: Any = None,
    venue: Any = None,
    threads: int = 1,
    progress: bool = False,
    **reading: Any,
) -> Any:
    """Adds up contact time per pair, and finds the pairs that were together long enough.

    Args:
        points: see ``contacts``, as for all arguments that are not listed here.
        rule: ``cdc-6ft``, ``eu-2m`` or ``who-1m``: 15 minutes in any 24 hours within 1.8288, 2 or 1 m.
        distance: another contact distance, metres.
        threshold: another cumulative contact time.
        window: another window in which contact time is added.
        weighted: whether ``weighted_min`` is added, minutes weighted by distance.
        all_pairs: whether all pairs that met are returned, not only the exposures.
        entity_of_interest: the device of an index case; only its contacts count.
        onset: its symptom onset: a date, a ``datetime`` or text; contacts count from two days before.

    Returns:
        One row a pair: ``device_a``, ``device_b``, ``contacts``, ``total_s``, ``maximum_in_window_s``,
        ``window_start``, ``maximum_on_one_day_s``, ``min_distance_m``, ``exposure``, ``exposure_by_day``.

    Raises:
        InputError: points or arguments that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + ["--rule", rule, "--threads", str(threads)]
    if distance is not None:
        words += ["--distance", _metres(distance, "distance")]
    if threshold is not None:
        words += ["--threshold", duration(threshold, "threshold")]
    if window is not None:
        words += ["--window", duration(window, "window")]
    if weighted:
        words.append("--weighted")
    if all_pairs:
        words.append("--all")
    if entity_of_interest is not None:
        words.append(f"--index={entity_of_interest}")
    if onset is not None:
        words.append(f"--onset={_instant(onset, 'onset')}")
    table, summary = _tables.compute(
        ["contacts", "exposures"],
        given,
        words,
        _tables.EXPOSURES,
        progress=progress,
        without=[] if weighted else ["weighted_min"],
    )
    return _tables.result(table, summary, given.kind)


def backtrace(
    points: PointsLike,
    entities_of_interest: Union[str, Sequence[str], Mapping[str, Any]],
    onset: Any = None,
    max_gap: Optional[Duration] = "30s",
    *,
    distance: Optional[float] = 2.0,
    direction: str = "forward",
    max_trace_depth: int = 1,
    before: Optional[Duration] = None,
    after: Optional[Duration] = None,
    incubation: Optional[Duration] = None,
    minimum_contact: Optional[Duration] = None,
    indirect: Optional[Duration] = None,
    venue: Any = None,
    unknown_floors: str = "flagged",
    threads: int = 1,
    progress: bool = False,
    **reading: Any,
) -> Any:
    """Follows contacts from index cases, forward or backward, generation by generation.

    Args:
        points: see ``contacts``, as for all arguments that are not listed here.
        entities_of_interest: the devices of the index cases; a mapping gives each its onset.
        onset: the symptom onset of all: a date, a ``datetime`` or text.
        direction: ``forward`` (devices that may have been infected) or ``backward`` (possible sources).
        max_trace_depth: the number of generations.
        before: forward: the time before onset from which contacts count, by default two days.
        after: forward: the time after onset, or after infection, until which contacts count, by default ten days.
        incubation: backward: the time before onset from which contacts count, by default 14 days.
        minimum_contact: the minimum contact time of two devices.
        indirect: also devices that were in the same space up to this much later; needs a venue or a run.

    Returns:
        One row a step: ``generation``, ``source``, ``target``, ``start``, ``end``, ``total_s``, ``contacts``,
        ``min_distance_m``, ``indirect``.

    Raises:
        InputError: points or arguments that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + _finder(distance, unknown_floors, threads)
    if isinstance(entities_of_interest, Mapping):
        if onset is not None:
            raise InputError("onset and onsets of the entities exclude each other")
        cases = [(name, _instant(time, "entities_of_interest")) for name, time in entities_of_interest.items()]
    else:
        names = [entities_of_interest] if isinstance(entities_of_interest, str) else list(entities_of_interest)
        if onset is None:
            raise InputError("onset is required: a date, or a mapping of entities to dates")
        cases = [(name, _instant(onset, "onset")) for name in names]
    if not cases:
        raise InputError("entities_of_interest is empty")
    for name, time in cases:
        words += [f"--index={name}", f"--onset={time}"]
    words += ["--direction", direction, "--generations", str(max_trace_depth)]
    for option, value in (
        ("before", before), ("after", after), ("incubation", incubation), ("minimum_contact", minimum_contact),
        ("indirect", indirect),
    ):  # fmt: skip
        if value is not None:
            words += ["--" + option.replace("_", "-"), duration(value, option)]
    table, summary = _tables.compute(["contacts", "backtrace"], given, words, _tables.STEPS, progress=progress)
    return _tables.result(table, summary, given.kind)


def network(
    points: PointsLike,
    distance: Optional[float] = 2.0,
    max_gap: Optional[Duration] = "30s",
    *,
    as_networkx: bool = False,
    venue: Any = None,
    unknown_floors: str = "flagged",
    threads: int = 1,
    progress: bool = False,
    **reading: Any,
) -> Any:
    """Builds the network of contacts.

    Args:
        points: see ``contacts``, as for all arguments that are not listed here.
        as_networkx: whether an undirected ``networkx.Graph`` is returned: its nodes are devices with ``degree``,
            ``contact_s``, ``contacts`` and ``community`` (Louvain); its edges have the columns below.

    Returns:
        One row a pair: ``device_a``, ``device_b``, ``contacts``, ``contact_s``, ``first_start``, ``last_end``,
        ``min_distance_m``. The nodes are in the summary.

    Raises:
        InputError: points or arguments that cannot be used, with the place.
        MissingDependencyError: networkx is requested and not installed.
        InternalError: a fault of the executable.
    """
    graphs = _import("networkx") if as_networkx else None
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + _finder(distance, unknown_floors, threads)
    table, summary = _tables.compute(["contacts", "network"], given, words, _tables.EDGES, progress=progress, ending="jsonl")
    if graphs is None:
        return _tables.result(table, summary, given.kind)
    graph = graphs.Graph()
    for node in summary["nodes"]:
        graph.add_node(node["device"], **{key: value for key, value in node.items() if key != "device"})
    for row in table.to_pylist():
        graph.add_edge(row.pop("device_a"), row.pop("device_b"), weight=row["contact_s"], **row)
    return graph


def occupancy(
    points: PointsLike,
    bin: Duration = "1m",
    max_gap: Optional[Duration] = "30s",
    venue: Any = None,
    *,
    visit_gap: Duration = "1m",
    progress: bool = False,
    **reading: Any,
) -> Any:
    """Counts the devices on each floor, and in each space of a map, over time.

    Args:
        points: see ``contacts``, as for all arguments that are not listed here.
        bin: the width of a bin, at least a second.
        venue: the map: a path or a ``Venue``; without one, floors are counted.
        visit_gap: the maximum absence within one visit.

    Returns:
        One row a place and bin: ``floor`` (ordinal) or ``space`` and ``name``, ``bin_start`` (UTC), ``mean`` and
        ``peak`` (devices). Dwell times are in the summary, under ``places``.

    Raises:
        InputError: points or arguments that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + ["--bin", duration(bin, "bin"), "--visit-gap", duration(visit_gap, "visit_gap")]
    optional = ["venue"] + ([] if venue is not None else ["space", "name"])
    table, summary = _tables.compute(
        ["contacts", "occupancy"], given, words, _tables.OCCUPANCY, progress=progress, without=optional
    )
    return _tables.result(table, summary, given.kind)


def _stretches(points: PointsLike, max_gap: Optional[Duration], venue: Any, **reading: Any) -> pa.Table:
    """Returns stretches of time with a constant number of devices: what ``occupancy`` makes bins of."""
    given = _prepared(points, reading)
    words = [*_common(max_gap, venue), "--stretches"]
    return _tables.compute(["contacts", "occupancy"], given, words, _tables.STRETCHES, progress=False)[0]


def gatherings(
    points: PointsLike,
    minimum_size: int = 3,
    minimum_duration: Duration = "5m",
    distance: Optional[float] = 2.0,
    max_gap: Optional[Duration] = "30s",
    venue: Any = None,
    *,
    bridge: Duration = 0,
    unknown_floors: str = "flagged",
    threads: int = 1,
    progress: bool = False,
    **reading: Any,
) -> Any:
    """Finds groups of devices that stay together.

    At every moment contacts connect the devices of a floor to groups. A gathering lasts as long as such a group has
    ``minimum_size`` devices or more; members may come and go.

    Args:
        points: see ``contacts``, as for all arguments that are not listed here.
        minimum_size: the minimum number of devices in a group, at least 2.
        minimum_duration: the minimum length of a gathering.
        bridge: the longest interruption of the contact of two devices that does not part them.
        venue: the map: a path or a ``Venue``; gives ``space``.

    Returns:
        One row a gathering, by start: ``gathering`` (number), ``floor``, ``start``, ``end`` (UTC), ``duration_s``,
        ``devices`` (all members), ``peak`` (the most at once), ``peak_time``, ``device_s``, ``x_m``, ``y_m``,
        ``longitude``, ``latitude`` (of the peak), ``members`` (a list of names).

    Raises:
        InputError: points or arguments that cannot be used, with the place.
        InternalError: a fault of the executable.
    """
    given = _prepared(points, reading)
    words = _common(max_gap, venue) + _finder(distance, unknown_floors, threads)
    words += ["--minimum-size", str(minimum_size), "--minimum-duration", duration(minimum_duration, "minimum_duration")]
    words += ["--bridge", duration(bridge, "bridge")]
    optional = ["venue"] + ([] if venue is not None else ["space"])
    table, summary = _tables.compute(
        ["contacts", "gatherings"], given, words, _tables.GATHERINGS, progress=progress, without=optional
    )
    names = [json.loads(text) for text in table.column("members").to_pylist()]
    place = table.schema.get_field_index("members")
    table = table.set_column(place, "members", pa.array(names, pa.list_(pa.string())))
    return _tables.result(table, summary, given.kind)


def _instant(value: Any, name: str) -> str:
    """Returns a date or time for the command line; a time without a zone is UTC."""
    if isinstance(value, str):
        return value
    # Not a time has this method as well, and is not equal to itself.
    if hasattr(value, "isoformat") and value == value:
        text = str(value.isoformat())
        if "T" in text and getattr(value, "tzinfo", None) is None:
            text += "Z"
        return text
    raise InputError(f"{name} must be a date, a datetime or text, not {value!r}")
