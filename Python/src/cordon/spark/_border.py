"""The second stage: joins the marked parts of contacts that lie in several slabs.

Parts of one contact overlap, since both slabs at a border know all segments there, and parts of two contacts do not. The start
is that of the first part, the end that of the last one. A part from the start to the end is the contact: its slab, which reads
beyond its border, has found all of it. Else the nearest moment is that of the nearest part. Distances are published
to a tenth of a millimetre: where two parts publish the same one, or neighbours, for two moments, and with walls, the contact is
computed again, from the rows of its devices over its whole length.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .._errors import InternalError
from ._files import PointFile
from ._slab import CONTACTS, MARK, Job, find, points_of

_NEAREST = ["min_distance_m", "min_distance_time", "x_m", "y_m", "longitude", "latitude", "space_a", "space_b"]
_KEY = ["venue", "device_a", "device_b", "floor"]
#: Rows that are computed again at once, and the longest time between two contacts that are.
BATCH = 4_000
#: Published distances that differ by less leave open which one is nearer, metres.
ALIKE = 1.5e-4


def merge(job: Job, files: Sequence[PointFile], marked: pa.Table) -> pa.Table:
    """Joins the marked parts of one component.

    Args:
        files: the files of the component.
        marked: the parts, in any order; all parts of a contact are there.

    Returns:
        whole contacts.
    """
    table = marked.select([*CONTACTS.names, "border"])
    for name in ("start", "end", "min_distance_time"):
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, table[name].cast(pa.int64()))
    done: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    for chain in _chains(table.to_pylist()):
        whole, is_clear = _joined(chain)
        is_clear = is_clear and (not job.question.line_of_sight or _covering(chain) is not None)
        (done if is_clear else again).append(whole)
    results = [_table(done)]
    again.sort(key=lambda row: (row["start"], row["end"], *(str(row[name]) for name in _KEY)))
    # A rest that begins before a window is a row of each window that it reaches into, with another end.
    limit = 1 if "still_until" in job.layout.columns else BATCH
    lot: list[list[dict[str, Any]]] = []
    for batch in _batches(again, job.question.reach):
        if lot and sum(map(len, lot)) + len(batch) > limit:
            results.append(_again(job, tuple(files), lot))
            lot = []
        lot.append(batch)
    if lot:
        results.append(_again(job, tuple(files), lot))
    return pa.concat_tables(results)


def _chains(parts: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """The parts of each contact, by slab."""
    by_pair: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for part in parts:
        by_pair.setdefault(tuple(part[name] for name in _KEY), []).append(part)
    for own in by_pair.values():
        own.sort(key=lambda part: (part["start"], part["border"]))
        chain: list[dict[str, Any]] = []
        end = 0
        for part in own:
            if chain and part["start"] > end:
                yield chain
                chain = []
            end = max(end, part["end"]) if chain else part["end"]
            chain.append(part)
        yield chain


def _joined(chain: list[dict[str, Any]]) -> tuple[dict[str, Any], bool]:
    """The contact of parts, and whether its nearest moment is clear."""
    whole = _covering(chain)
    if whole is not None:
        return dict(whole), True
    nearest = min(part["min_distance_m"] for part in chain)
    # Neighbours after rounding may be equal before: the engine takes the earlier of two that differ by less than a nanometre.
    candidates = [part for part in chain if part["min_distance_m"] - nearest < ALIKE]
    best = dict(candidates[0])
    is_clear = all(part[name] == best[name] for part in candidates for name in _NEAREST)
    best["start"] = min(part["start"] for part in chain)
    best["end"] = max(part["end"] for part in chain)
    best["duration_s"] = (best["end"] - best["start"]) / 1e6
    return best, is_clear


def _covering(chain: list[dict[str, Any]]) -> Optional[dict[str, Any]]:
    """The part that is the whole contact: a slab that knows a contact from its start to its end has all pieces of it."""
    start, end = min(part["start"] for part in chain), max(part["end"] for part in chain)
    return next((part for part in chain if part["start"] == start and part["end"] == end), None)


def _table(contacts: list[dict[str, Any]]) -> pa.Table:
    plain = pa.schema(
        [field.with_type(pa.int64()) if pa.types.is_timestamp(field.type) else field for field in CONTACTS]
    )
    rows = [{name: row[name] for name in CONTACTS.names} for row in contacts]
    return pa.Table.from_pylist(rows, schema=plain).cast(CONTACTS)


def _batches(contacts: list[dict[str, Any]], reach: int) -> Iterable[list[dict[str, Any]]]:
    """Contacts that are near in time; from the rows of one batch to those of the next one is more than the gap."""
    batch: list[dict[str, Any]] = []
    end = 0
    for contact in contacts:
        if batch and (contact["start"] > end + 3 * reach or len(batch) >= BATCH):
            yield batch
            batch = []
        end = max(end, contact["end"]) if batch else contact["end"]
        batch.append(contact)
    if batch:
        yield batch


def _again(job: Job, files: tuple[PointFile, ...], batches: list[list[dict[str, Any]]]) -> pa.Table:
    """Computes contacts from the rows of their devices."""
    reach = job.question.reach
    tables = []
    for batch in batches:
        first = min(contact["start"] for contact in batch) - reach
        end = max(contact["end"] for contact in batch) + reach
        devices = sorted({contact[name] for contact in batch for name in ("device_a", "device_b")})
        tables.append(points_of(job, files, first, end, pa.array(devices, pa.string())))
    found = find(job, pa.concat_tables(tables, promote_options="permissive"), files)
    wanted = {_identity(contact) for batch in batches for contact in batch}
    names = [*_KEY, "start", "end"]
    columns = [found[name].cast(pa.int64()) if name in ("start", "end") else found[name] for name in names]
    rows = zip(*(column.to_pylist() for column in columns))
    mask = pa.array([row in wanted for row in rows], pa.bool_())
    result = found.filter(mask)
    count = sum(map(len, batches))
    if result.num_rows != count:
        raise InternalError(
            f"{count} contacts at borders of slabs were computed again and {result.num_rows} of them found", code="internal"
        )
    return result


def _identity(contact: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(contact[name] for name in [*_KEY, "start", "end"])


def merged(job: Job, components: Sequence[Sequence[PointFile]], marked: pa.Table) -> pa.Table:
    """Joins the marked parts of several components."""
    results = [CONTACTS.empty_table()]
    numbers = pc.divide(marked["border"], MARK)
    for number in sorted(pc.unique(numbers).to_pylist()):
        results.append(merge(job, components[number], marked.filter(pc.equal(numbers, number))))
    return pa.concat_tables(results)
