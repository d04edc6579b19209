"""The second stage: joins the marked parts of contacts that lie in several slabs.

Parts of one contact overlap, since both slabs at a border know all segments there, and parts of two contacts do not. The start
is that of the first part, the end that of the last one. The nearest moment is that of the nearest part. Distances are published
to a tenth of a millimetre: where two parts publish the same one, or neighbours, for two moments, and with walls, the contact is
computed again, from the rows of its devices over its whole length.
"""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .._errors import InternalError
from ._files import PointFile
from ._slab import CONTACTS, Job, find, points_of

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
    table = marked.select([*CONTACTS.names, "slab"])
    for name in ("start", "end", "min_distance_time"):
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, table[name].cast(pa.int64()))
    done: list[dict[str, Any]] = []
    again: list[dict[str, Any]] = []
    for chain in _chains(table.to_pylist()):
        whole, is_clear = _joined(chain)
        (done if is_clear and not job.question.line_of_sight else again).append(whole)
    results = [_table(done)]
    again.sort(key=lambda row: (row["start"], row["end"], *(str(row[name]) for name in _KEY)))
    for batch in _batches(again, job.question.reach):
        results.append(_again(job, tuple(files), batch))
    return pa.concat_tables(results)


def _chains(parts: list[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """The parts of each contact, by slab."""
    by_pair: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for part in parts:
        by_pair.setdefault(tuple(part[name] for name in _KEY), []).append(part)
    for own in by_pair.values():
        own.sort(key=lambda part: (part["start"], part["slab"]))
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
    nearest = min(part["min_distance_m"] for part in chain)
    # Neighbours after rounding may be equal before: the engine takes the earlier of two that differ by less than a nanometre.
    candidates = [part for part in chain if part["min_distance_m"] - nearest < ALIKE]
    best = dict(candidates[0])
    is_clear = all(part[name] == best[name] for part in candidates for name in _NEAREST)
    best["start"] = min(part["start"] for part in chain)
    best["end"] = max(part["end"] for part in chain)
    best["duration_s"] = (best["end"] - best["start"]) / 1e6
    return best, is_clear


def _table(contacts: list[dict[str, Any]]) -> pa.Table:
    plain = pa.schema(
        [field.with_type(pa.int64()) if pa.types.is_timestamp(field.type) else field for field in CONTACTS]
    )
    rows = [{name: row[name] for name in CONTACTS.names} for row in contacts]
    return pa.Table.from_pylist(rows, schema=plain).cast(CONTACTS)


def _batches(contacts: list[dict[str, Any]], reach: int) -> Iterable[list[dict[str, Any]]]:
    """Contacts that are near in time, in lots."""
    batch: list[dict[str, Any]] = []
    end = 0
    for contact in contacts:
        if batch and (contact["start"] > end + 2 * reach or len(batch) >= BATCH):
            yield batch
            batch = []
        end = max(end, contact["end"]) if batch else contact["end"]
        batch.append(contact)
    if batch:
        yield batch


def _again(job: Job, files: tuple[PointFile, ...], batch: list[dict[str, Any]]) -> pa.Table:
    """Computes contacts from the rows of their devices."""
    reach = job.question.reach
    first = min(contact["start"] for contact in batch) - reach
    end = max(contact["end"] for contact in batch) + reach
    devices = sorted({contact[name] for contact in batch for name in ("device_a", "device_b")})
    found = find(job, points_of(job, files, first, end, pa.array(devices, pa.string())))
    wanted = {_identity(contact) for contact in batch}
    names = [*_KEY, "start", "end"]
    columns = [found[name].cast(pa.int64()) if name in ("start", "end") else found[name] for name in names]
    rows = zip(*(column.to_pylist() for column in columns))
    mask = pa.array([row in wanted for row in rows], pa.bool_())
    result = found.filter(mask)
    if result.num_rows != len(batch):
        raise InternalError(
            f"{len(batch)} contacts at borders of slabs were computed again and {result.num_rows} of them found", code="internal"
        )
    return result


def _identity(contact: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(contact[name] for name in [*_KEY, "start", "end"])


def merged(job: Job, components: Sequence[Sequence[PointFile]], marked: pa.Table) -> pa.Table:
    """Joins the marked parts of several components."""
    results = [CONTACTS.empty_table()]
    for number in sorted(pc.unique(marked["component"]).to_pylist()):
        results.append(merge(job, components[number], marked.filter(pc.equal(marked["component"], number))))
    return pa.concat_tables(results)
