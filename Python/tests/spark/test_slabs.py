"""The answer of slabs is that of one run to the last bit. These tests need no Spark: slabs are computed one after the other."""

import dataclasses
import datetime
import os

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import cordon
from cordon.spark import _border, _occupancy, _parts, _plan, _slab, _sums
from cordon.spark._options import Question

from crowds import START, crowd, rows_of, write

NAMES = _slab.CONTACTS.names
pytestmark = pytest.mark.filterwarnings("ignore::cordon.CordonWarning")


def solved(plan):
    """The contacts of a plan: those inside of slabs, and the joined ones; and how many parts were marked."""
    found = pa.concat_tables([_slab.pieces(plan.job, slab) for slab in plan.slabs])
    inside = found.filter(pc.is_null(found["border"])).select(NAMES)
    marked = found.filter(pc.is_valid(found["border"]))
    return pa.concat_tables([inside, _border.merged(plan.job, plan.components, marked)]), marked.num_rows


def expected(table, **options):
    return rows_of(cordon.contacts(table, as_kind="arrow", **options), NAMES)


def with_cuts(folder, question, cuts):
    """A plan whose components are cut at given times."""
    plan = _plan.plan(str(folder), question, slabs=1)
    slabs = []
    for number, files in enumerate(plan.components):
        first, last = min(file.first for file in files), max(file.last for file in files)
        inner = sorted({cut for cut in cuts if first < cut <= last})
        slabs += _plan._slabs(files, inner, number, len(slabs), question)
    return dataclasses.replace(plan, slabs=tuple(slabs))


# CORDON_LONG_TESTS=1 adds more seeds; every seed has another number of slabs and another gap.
CASES = [(0, 9, 30), (1, 6, 12), (2, 2, 45), (106, 7, 30)]
if os.environ.get("CORDON_LONG_TESTS"):
    CASES += [(seed, 1 + seed * 7 % 23, (5, 12, 30, 60)[seed % 4]) for seed in range(100, 140)]


@pytest.mark.parametrize("seed, count, gap", CASES)
def test_any_number_of_slabs_gives_the_answer_of_one_run(tmp_path, seed, count, gap):
    table = crowd(seed)
    folder = write(table, tmp_path / "points")
    wanted = expected(table, max_gap=gap)
    plan = _plan.plan(str(folder), Question.of({"max_gap": gap}), slabs=count)
    found, marked = solved(plan)
    assert rows_of(found, NAMES) == wanted and len(wanted) > 30
    assert sum(_slab.tally(plan.job, slab) for slab in plan.slabs) == len(wanted)
    assert len(plan.slabs) >= count and (marked > 0 or seed >= 100)


def test_cuts_where_contacts_begin_and_end_in_gaps_and_where_nothing_is(tmp_path):
    table = crowd(3, devices=8, seconds=900)
    # Nothing for ten minutes, and another venue of which all slabs but one know nothing.
    later = crowd(4, devices=8, seconds=60, venues=("Hall B",))
    moved = pc.add(later["time"], pa.scalar(datetime.timedelta(minutes=25), pa.duration("us")))
    table = pa.concat_tables([table, later.set_column(1, "time", moved).drop_columns("still_until")], promote_options="default")
    folder = write(table, tmp_path / "points", parts=1)
    wanted = expected(table)
    ends = [row[NAMES.index(name)] for row in wanted[:40:7] for name in ("start", "end")]
    cuts = [end // 1000 * 1000 + step for end, step in zip(ends, [0, 1000] * len(ends))]
    origin = int(START.timestamp() * 1e6)
    cuts += [origin + minutes * 60_000_000 for minutes in (17, 19, 20, 21)]
    plan = with_cuts(folder, Question.of({}), cuts)
    found, marked = solved(plan)
    assert rows_of(found, NAMES) == wanted
    assert sum(_slab.tally(plan.job, slab) for slab in plan.slabs) == len(wanted)
    assert marked > 5 and any(slab.points == 0 for slab in plan.slabs)


@pytest.mark.parametrize("seed, gap, places", [(30, 30, "degrees"), (31, 12, "degrees"), (32, 30, "metres")])
def test_each_slab_counts_the_contacts_that_begin_in_it(tmp_path, monkeypatch, seed, gap, places):
    # Of one venue, or in metres, the executable counts.
    table = crowd(seed, devices=10, seconds=900, venues=("Hall A",) if places == "degrees" else ("Hall A", "plaza/9"))
    if places == "metres":
        for name, kind in (("longitude", "x"), ("latitude", "y")):
            metres = pc.multiply(pc.subtract(table[name], pc.floor(table[name])), 100_000.0)
            table = table.append_column(kind, metres).drop_columns(name)
    folder = write(table, tmp_path / "points")
    wanted = expected(table, max_gap=gap, metres=places == "metres")
    starts = sorted(row[NAMES.index("start")] for row in wanted)
    # On whole milliseconds at and beside starts, so that some begin in the same one as a slab.
    cuts = sorted({start // 1_000 * 1_000 + step for start in starts[2:-2:9] for step in (0, 1_000)})
    plan = with_cuts(folder, Question.of({"max_gap": gap}), cuts)
    counted_by_rows = []
    monkeypatch.setattr(_slab, "find", lambda *given: counted_by_rows.append(given))
    inner = [slab for slab in plan.slabs if slab.start is not None and slab.end is not None]
    for slab in inner:
        assert _slab.tally(plan.job, slab) == sum(slab.start <= start < slab.end for start in starts) or len(plan.components) > 1
    assert sum(_slab.tally(plan.job, slab) for slab in plan.slabs) == len(wanted) > 30
    assert len(inner) > 5 and any(start % 1_000 == 0 and start in cuts for start in starts) and not counted_by_rows


def test_contacts_at_rest_are_computed_again(tmp_path, monkeypatch):
    # Two at rest at one distance, with fixes: every slab publishes the same distance for another moment.
    rows = [(name, second, x) for second in range(0, 120, 5) for name, x in (("a", 0.0), ("b", 1.25))]
    table = pa.table(
        {
            "device": [row[0] for row in rows],
            "time": pa.array([START + datetime.timedelta(seconds=row[1]) for row in rows], pa.timestamp("us", "UTC")),
            "x": [row[2] for row in rows],
            "y": [0.0] * len(rows),
            "venue": ["Hall A"] * len(rows),
        }
    )
    folder = write(table, tmp_path / "points", parts=1)
    calls = []
    again = _border._again
    monkeypatch.setattr(_border, "_again", lambda *given: calls.append(len(given[2])) or again(*given))
    found, marked = solved(_plan.plan(str(folder), Question.of({}), slabs=3))
    assert rows_of(found, NAMES) == expected(table, metres=True) and found.num_rows == 1
    assert marked == 3 and calls == [1]


def test_contacts_at_rest_at_several_borders_are_computed_again_in_one_run(tmp_path, monkeypatch):
    # Three pairs, one after the other, each longer than the gap on both sides of a border.
    rows = [
        (f"{name}{pair}", pair * 300 + second, x)
        for pair in range(3) for second in range(0, 101, 5) for name, x in (("a", 0.0), ("b", 1.25))
    ]  # fmt: skip
    times = [START + datetime.timedelta(seconds=row[1]) for row in rows]
    table = pa.table(
        {
            "device": [row[0] for row in rows], "time": pa.array(times, pa.timestamp("us", "UTC")),
            "x": [row[2] for row in rows], "y": [0.0] * len(rows), "venue": ["Hall A"] * len(rows),
        }
    )  # fmt: skip
    folder = write(table, tmp_path / "points", parts=1)
    calls = []
    again = _border._again
    monkeypatch.setattr(_border, "_again", lambda *given: calls.append([len(batch) for batch in given[2]]) or again(*given))
    origin = int(START.timestamp() * 1e6)
    plan = with_cuts(folder, Question.of({"max_gap": 10}), [origin + (pair * 300 + 52) * 1_000_000 for pair in range(3)])
    # Pairs that are interrupted for longer than the gap are components of their own.
    files = sum(plan.components, ())
    assert len(files) == 1
    found, marked = solved(plan)
    assert rows_of(found, NAMES) == expected(table, metres=True, max_gap=10) and found.num_rows == 3
    assert marked == 6 and calls == [[1, 1, 1]]


@pytest.mark.parametrize("has_name", [True, False])
def test_the_rows_of_one_venue_keep_its_name(tmp_path, has_name):
    table = crowd(5, devices=6, seconds=600, venues=("Hall B",))
    if has_name:
        folder = str(write(table, tmp_path / "points"))
    else:
        folder, table = str(tmp_path / "points.parquet"), table.drop_columns("venue")
        pq.write_table(table, folder, row_group_size=64)
    found, _ = solved(_plan.plan(folder, Question.of({}), slabs=3))
    assert rows_of(found, NAMES) == expected(table) and found.num_rows > 5
    assert found["venue"].unique().to_pylist() == ["Hall B" if has_name else None]
    plan = _plan.plan(folder, Question.of({}), slabs=3, align=300_000_000, tiles=False)
    job = dataclasses.replace(plan.job, origins=())
    bins = pa.concat_tables([_occupancy.bins(job, slab, 300_000) for slab in plan.slabs])
    names = ["venue", "floor", "bin_start", "mean", "peak"]
    assert rows_of(bins, names) == rows_of(cordon.occupancy(table, bin="5m", as_kind="arrow"), names) and bins.num_rows > 3


def test_slabs_on_both_sides_of_a_border_need_one_file_more(tmp_path):
    table = crowd(8, devices=12, seconds=3_600, rests=False, venues=("Hall A",))
    plan = _plan.plan(str(write(table, tmp_path / "points", parts=24, row_group_size=10_000)), Question.of({}), slabs=3)
    reach = plan.job.question.reach

    def readings(slab):
        first, end = (slab.start or 0) - reach, (slab.end or 1 << 62) + reach
        return sum(file.last >= first and file.first < end for file in slab.files)

    files = sum(map(len, plan.components))
    borders = sum(slab.start is not None for slab in plan.slabs)
    assert borders >= 2 and sum(map(readings, plan.slabs)) == files + borders


def test_a_part_from_start_to_end_is_the_contact():
    part = {"start": 3, "end": 5, "min_distance_m": 0.0, "min_distance_time": 4}
    whole = {"start": 1, "end": 5, "min_distance_m": 0.0, "min_distance_time": 2}
    assert _border._joined([whole, part]) == (whole, True) == _border._joined([part, whole])
    assert _border._covering([{**whole, "end": 4}, part]) is None


def test_distances_that_rounding_parts_are_computed_again():
    part = {"start": 0, "end": 5, "duration_s": 5e-6, "min_distance_time": 1, "x_m": 0.0, "y_m": 0.0, "longitude": None,
            "latitude": None, "space_a": None, "space_b": None, "min_distance_m": 0.8351}  # fmt: skip
    later = {**part, "start": 3, "end": 9, "min_distance_time": 7}
    assert _border._joined([part, {**later, "min_distance_m": 0.8350}])[1] is False
    whole, is_clear = _border._joined([part, {**later, "min_distance_m": 0.8340}])
    assert is_clear and (whole["start"], whole["end"], whole["min_distance_time"]) == (0, 9, 7)
    # Both have the same piece.
    assert _border._joined([part, {**later, "min_distance_time": 1}])[1]


def test_components_are_what_depends_on_each_other(tmp_path):
    table = crowd(6, devices=6, seconds=300, rests=False, one_venue_each=True)
    folder = write(table, tmp_path / "points", parts=1)
    assert len(_plan.plan(str(folder), Question.of({})).components) == 2
    # The same devices in another venue, at the same time and a day later.
    for days, count in ((0, 1), (1, 3)):
        place = table.column_names.index("time")
        times = pc.add(table["time"], pa.scalar(datetime.timedelta(days=days), pa.duration("us")))
        here = pc.equal(table["venue"], "Hall A")
        other = table.set_column(place, "time", times).filter(here).drop_columns("venue")
        other = other.append_column("venue", pa.repeat(pa.scalar("Hall B"), other.num_rows))
        more = write(pa.concat_tables([table, other]), tmp_path / f"more-{days}", parts=1)
        plan = _plan.plan(str(more), Question.of({}))
        assert len(plan.components) == (2 if days == 0 else count)
        assert len(_plan.plan(str(more), Question.of({}), devices_roam=False).components) == 3


def test_the_plan_foresees_memory_and_refuses_what_cannot_be_kept(tmp_path):
    folder = str(write(crowd(7), tmp_path / "points"))
    question = Question.of({})
    plan = _plan.plan(folder, question, rows_per_slab=100)
    assert len(plan.slabs) > 8 and max(slab.points for slab in plan.slabs) <= 110
    assert plan.memory > 400 << 20 and "MiB a task" in str(plan)
    assert plan.points == crowd(7).num_rows
    with pytest.raises(cordon.InputError, match="memory_per_task"):
        _plan.plan(folder, question, memory_per_task=100 << 20)
    with pytest.raises(cordon.InputError, match="slabs"):
        _plan.plan(folder, question, slabs=0)


def test_row_groups_are_not_read_again_and_again(tmp_path):
    table = crowd(12, devices=6, seconds=7_200, rests=False, venues=("Hall A",))
    by_device = str(write(table, tmp_path / "by-device", parts=1, row_group_size=200))
    by_time = str(write(table, tmp_path / "by-time", parts=40))
    assert len(_plan.plan(by_time, Question.of({"max_gap": 5}), cores=2).slabs) >= 6
    # Each row group has all of the time: every slab would read all of them.
    assert len(_plan.plan(by_device, Question.of({"max_gap": 5}), cores=2).slabs) == 1
    assert len(_plan.plan(by_device, Question.of({"max_gap": 5}), cores=2, rows_per_slab=table.num_rows // 3).slabs) >= 3


def test_walls_are_those_of_the_map(run, office, tmp_path):
    points = run.positions("5s", "arrow")
    table = pa.table({name: points[name] for name in points.column_names}).append_column(
        "venue", pa.repeat(pa.scalar("office"), points.num_rows)
    )
    folder = write(table, tmp_path / "points", parts=2)
    options = {"venue": str(office), "line_of_sight": True}
    wanted = expected(table, **options)
    start, end = NAMES.index("start"), NAMES.index("end")
    longest = sorted(wanted, key=lambda row: row[start] - row[end])[:3]
    cuts = [(row[start] + row[end]) // 2_000 * 1_000 for row in longest]
    found, marked = solved(with_cuts(folder, Question.of(options), cuts))
    assert rows_of(found, NAMES) == wanted and marked > 1
    assert any(row[NAMES.index("wall_share")] for row in wanted) and any(row[NAMES.index("space_a")] for row in wanted)


@pytest.mark.parametrize(
    "options", [{"max_gap": "auto"}, {"max_gap": "soon"}, {"max_gap": 0}, {"distance": -1}, {"distance": "x"},
                {"unknown_floors": "maybe"}, {"columns": {"who": "a"}}, {"line_of_sight": True}, {"venue": "no-such-map"},
                {"origin": "11"}, {"origin": "11,x"}]
)  # fmt: skip
def test_arguments_that_cannot_be_used(options):
    with pytest.raises(cordon.InputError):
        Question.of(options)


def test_files_that_others_wrote(tmp_path):
    table = crowd(13, devices=8, seconds=300, venues=("Hall A",)).drop_columns("venue")
    wanted = expected(table)
    assert len(wanted) > 3
    # Timestamps as Spark writes them by default: without a zone, and without ends in footers.
    pq.write_table(table, tmp_path / "int96.parquet", use_deprecated_int96_timestamps=True, row_group_size=50)
    # Numbers with a unit in the name, and names of another system.
    named = table.rename_columns(["badge", "ts_us", "lon", "lat", "level", "acc", "still_until_us"])
    for place in (1, 6):
        named = named.set_column(place, named.column_names[place], named.column(place).cast(pa.int64()))
    pq.write_table(named, tmp_path / "numbers.parquet")
    columns = {"device": "badge", "still_until": "still_until_us"}
    for name, options in (("int96", {}), ("numbers", {"columns": columns})):
        found, _ = solved(_plan.plan(str(tmp_path / f"{name}.parquet"), Question.of(options), slabs=2))
        assert rows_of(found, NAMES) == wanted, name


def test_files_that_cannot_be_used(tmp_path):
    question = Question.of({})

    def code(path):
        with pytest.raises(cordon.InputError) as caught:
            _plan.plan(str(path), question)
        return caught.value.code

    assert code(tmp_path / "nothing") == "not-found"
    assert code(tmp_path) == "empty"
    folder = write(crowd(1, seconds=60), tmp_path / "points", parts=1)
    path = next(folder.rglob("*.parquet"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-50])
    assert code(folder) == "damaged"
    # Whole footers, and pages that are not.
    path.write_bytes(whole[:30] + bytes(60) + whole[90:])
    plan = _plan.plan(str(path), question)
    with pytest.raises(cordon.InputError, match="cannot be read as Parquet") as caught:
        _slab.pieces(plan.job, plan.slabs[0])
    assert (caught.value.code, caught.value.file) == ("damaged", str(path))
    table = pq.read_table(pa.BufferReader(whole))
    pq.write_table(table.drop_columns("device"), path)
    assert code(folder) == "missing-column"
    pq.write_table(table.drop_columns("accuracy"), path)
    assert code(folder) == "missing-column"
    pq.write_table(table.set_column(1, "time", table["time"].cast(pa.int64())), path)
    assert code(folder) == "unknown-unit"
    pq.write_table(table.append_column("venue", pa.repeat(pa.scalar("V"), table.num_rows)), tmp_path / "points.parquet")
    assert code(tmp_path / "points.parquet") == "unclear-places"


def hall(seed, devices=60, seconds=240, size=60.0):
    """Pairs that walk about in a hall, far more on one side, and one device that crosses all of it."""
    import random

    randomness = random.Random(seed)
    rows = []
    for number in range(devices):
        if number % 2 == 0:
            home = randomness.uniform(0, size) ** 2 / size, randomness.uniform(0, size)
        x, y = home
        for second in range(number % 5, seconds, 5):
            x, y = (min(max(value + randomness.gauss(0, 0.5), 0), size) for value in (x, y))
            place = (second / seconds * size, size / 2) if number == 0 else (x, y)
            time = START + datetime.timedelta(seconds=second)
            rows.append((f"d{number}", time, 11.58 + place[0] / 75_000, 48.14 + place[1] / 111_000, float(number // 2 % 2), "Hall A"))
    names = ["device", "time", "longitude", "latitude", "floor", "venue"]
    return pa.table({name: list(column) for name, column in zip(names, zip(*rows))})


@pytest.mark.parametrize("seed, fitting", [(1, 1_000), (2, 700)])
def test_minutes_that_do_not_fit_are_divided_into_tiles(tmp_path, seed, fitting):
    table = hall(seed)
    folder = write(table, tmp_path / "points", parts=4, row_group_size=5_000)
    wanted = expected(table, max_gap=12)
    plan = _plan.plan(str(folder), Question.of({"max_gap": 12}), slabs=2, fitting=fitting)
    tiles = [slab for slab in plan.slabs if slab.tile is not None]
    assert len(tiles) >= 8 and "tiles" in str(plan) and [slab.number for slab in plan.slabs] == list(range(len(plan.slabs)))
    found, marked = solved(plan)
    assert rows_of(found, NAMES) == wanted and len(wanted) > 50 and marked > 3
    assert sum(_slab.tally(plan.job, slab) for slab in plan.slabs) == len(wanted)
    # Every task holds fewer rows than fit, and some hold devices of other tiles.
    sizes = []
    for slab in tiles:
        reach = plan.job.question.reach
        span = slab.start - reach if slab.start else 0, slab.end + reach if slab.end else 1 << 62
        where = _slab.places(slab.files, plan.job.layout, plan.job.question, slab.tile, *span)
        sizes.append(len(where.of(slab.tile)))
    assert sum(sizes) > 2 * 60 and max(sizes) < 60
    small = dataclasses.replace(tiles[0], tile=dataclasses.replace(tiles[0].tile, limit=10))
    with pytest.raises(cordon.InputError, match="10 fit; raise memory_per_task"):
        _slab.pieces(plan.job, small)
    with pytest.raises(cordon.InputError, match="raise memory_per_task"):
        _plan.plan(str(folder), Question.of({"max_gap": 12}), slabs=2, fitting=fitting, tiles=False)


def counted(plan, width):
    """The bins of a plan whose slabs end anywhere, as the second stage adds them up."""
    job = dataclasses.replace(plan.job, origins=())
    tables = [_sums.divided(_occupancy.stretches(job, slab), width) for slab in plan.slabs]
    table = pa.concat_tables(tables).sort_by([(name, "ascending") for name in _sums.KEYS])
    # Small batches: a bin reaches from one into the next.
    return pa.Table.from_batches(_sums.added(iter(table.to_batches(max_chunksize=7)), width, _occupancy._SCHEMA))


PLACES = ["venue", "floor", "space", "name", "bin_start", "mean", "peak"]


def peaks(bins):
    """The peaks of bins, by place and time."""
    return [row[-1] for row in rows_of(bins, PLACES[:5] + PLACES[-1:])]


def sums_of_peaks(plan, width):
    """The sums of the peaks that the parts of a slab have in a bin, by place and time; of several slabs the largest."""
    sums = {}
    for slab in plan.slabs:
        for row in rows_of(counted(dataclasses.replace(plan, slabs=(slab,)), width), PLACES[:5] + PLACES[-1:]):
            by_slab = sums.setdefault(row[:5], {})
            by_slab[slab.start] = by_slab.get(slab.start, 0) + row[-1]
    return [max(sums[place].values()) for place in sorted(sums, key=repr)]


@pytest.mark.parametrize("seed, fitting, bin", [(20, 150, 7), (21, 100, 3_600), (22, 120, 61)])
def test_devices_of_minutes_that_do_not_fit_are_counted_in_parts(tmp_path, seed, fitting, bin):
    table = crowd(seed, devices=16, seconds=420)
    folder = str(write(table, tmp_path / "points", parts=4, row_group_size=64))
    question = Question.of({"max_gap": 12})
    wanted = rows_of(cordon.occupancy(table, bin=bin, max_gap=12, as_kind="arrow"), PLACES)
    with pytest.raises(cordon.InputError, match="raise memory_per_task") as caught:
        _plan.plan(folder, question, slabs=3, fitting=fitting, align=bin * 1_000_000, tiles=False)
    assert caught.value.code == "too-large"
    plan = _plan.plan(folder, question, slabs=3, fitting=fitting, align=1_000_000, tiles=False, parts=True)
    divided = [slab for slab in plan.slabs if slab.part is not None]
    assert len(divided) >= 2 and "parts of the devices" in str(plan)
    assert [slab.number for slab in plan.slabs] == list(range(len(plan.slabs)))
    found = counted(plan, bin * 1_000)
    assert rows_of(found, PLACES) == wanted and len(wanted) > 3
    # In some bins the parts have their peaks at different times, so that the sum of these is not the peak.
    apart = [peak for sums, peak in zip(sums_of_peaks(plan, bin * 1_000), peaks(found)) if sums > peak]
    assert apart, (seed, peaks(found))
    small = dataclasses.replace(divided[0], part=dataclasses.replace(divided[0].part, limit=3))
    with pytest.raises(cordon.InputError, match="3 fit; raise memory_per_task"):
        _occupancy.stretches(plan.job, small)


def test_parts_of_the_devices_have_equal_numbers_of_rows_and_each_device_once(tmp_path):
    table = crowd(23, devices=30, seconds=600, rests=False)
    plan = _plan.plan(str(write(table, tmp_path / "points")), Question.of({}), slabs=1)
    files = sum(plan.components, ())
    parts = [_parts.Part(number, 5, 10_000) for number in range(5)]
    lists = [part.devices(files, plan.job.layout, plan.job.question, 0, 1 << 62).to_pylist() for part in parts]
    assert sorted(sum(lists, [])) == sorted(pc.unique(table["device"]).to_pylist())
    sizes = [pc.sum(pc.is_in(table["device"], value_set=pa.array(names))).as_py() for names in lists]
    most = max(count["counts"] for count in table["device"].value_counts().to_pylist())
    assert max(sizes) - min(sizes) <= 2 * most


def test_spaces_are_counted_in_parts(run, office, tmp_path):
    points = run.positions("5s", "arrow")
    table = pa.table({name: points[name] for name in points.column_names}).append_column(
        "venue", pa.repeat(pa.scalar("office"), points.num_rows)
    )
    folder = str(write(table, tmp_path / "points", parts=2))
    question = Question.of({"venue": str(office)})
    plan = _plan.plan(
        folder, question, slabs=1, fitting=table.num_rows // 4, align=1_000_000, tiles=False, parts=True
    )
    assert sum(slab.part is not None for slab in plan.slabs) >= 4
    wanted = rows_of(cordon.occupancy(table, bin="1m", venue=str(office), as_kind="arrow"), PLACES)
    assert rows_of(counted(plan, 60_000), PLACES) == wanted and any(row[2] for row in wanted)


def test_means_are_rounded_as_in_the_executable():
    assert _sums.figures([(0, 500, 1)], 1_000) == (0.0005, 1) == _sums.figures([(0, 499, 1), (499, 500, 1)], 1_000)
    # Half a millionth is rounded up; a device that leaves when another one arrives is not there with it.
    assert _sums.figures([(0, 1_000, 1)], 2_000_000) == (1e-6, 1)
    assert _sums.figures([(0, 10, 2), (10, 20, 3), (5, 15, 1)], 1_000)[1] == 4


@pytest.mark.parametrize(
    "stretches, peak",
    [
        # Two tasks whose peaks, 3 and 2, are at different times: together there are 4 and then 3, never 5.
        ([(0, 10, 3), (10, 20, 1), (0, 10, 1), (10, 20, 2)], 4),
        # The same with a pause of both between.
        ([(0, 5, 3), (10, 20, 1), (0, 4, 1), (12, 20, 2)], 4),
        # Peaks that touch are not at one time; those that overlap by a microsecond are.
        ([(0, 10, 3), (10, 20, 3)], 3),
        ([(0, 11, 3), (10, 20, 3)], 6),
        # Neither the first nor the last moment, and no stretch of one task begins or ends there.
        ([(0, 30, 1), (5, 25, 2), (10, 12, 4), (11, 13, 8), (14, 20, 10)], 15),
        # Three tasks, in any order of rows.
        ([(10, 20, 5), (0, 10, 1), (15, 25, 7), (20, 30, 2), (0, 5, 9), (5, 10, 3)], 12),
        ([(4, 4, 9), (0, 8, 1)], 1),
    ],
)
def test_peaks_are_of_all_tasks_at_one_moment(stretches, peak):
    for own in (stretches, stretches[::-1], sorted(stretches)):
        assert _sums.figures(own, 1_000)[1] == peak


def test_slabs_are_cut_finer_before_they_are_tiled(tmp_path):
    table = crowd(14, devices=8, seconds=3_600, rests=False, venues=("Hall A",))
    folder = str(write(table, tmp_path / "points", parts=20))
    question = Question.of({"max_gap": 5})
    plan = _plan.plan(folder, question, slabs=1, fitting=table.num_rows // 6)
    assert len(plan.slabs) >= 7 and all(slab.tile is None for slab in plan.slabs)
    assert plan.memory <= _plan.BASE_BYTES + _plan.ROW_BYTES * (table.num_rows // 6)
    found, _ = solved(plan)
    assert rows_of(found, NAMES) == expected(table, max_gap=5)


def test_a_task_takes_no_more_memory_than_was_foreseen(tmp_path):
    # Enough rows that they count, in a process of its own: the most that it and its executable ever took.
    import subprocess
    import sys
    import textwrap

    script = textwrap.dedent(
        """
        import resource, sys
        import numpy, pyarrow, pyarrow.parquet
        from cordon.spark import _plan, _slab
        from cordon.spark._options import Question
        folder, rows, devices = sys.argv[1], 240_000, 400
        number = numpy.arange(rows)
        device, tick = number // (rows // devices), number % (rows // devices)
        pyarrow.parquet.write_table(pyarrow.table({
            "device": pyarrow.array(device).cast(pyarrow.string()),
            "time": pyarrow.array(1_772_400_000_000_000 + tick * 5_000_000, pyarrow.timestamp("us", "UTC")),
            "longitude": 11.58 + device % 20 * 1e-4 + tick % 7 * 1e-6, "latitude": 48.14 + device // 20 * 1e-4,
        }), folder + "/points.parquet")
        plan = _plan.plan(folder, Question.of({}), slabs=1)
        found = _slab.pieces(plan.job, plan.slabs[0])
        most = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) * 1024
        print(plan.slabs[0].points, most, plan.memory)
        """
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    points, most, foreseen = map(int, done.stdout.split())
    assert points == 240_000 and 100 << 20 < most <= foreseen, (most >> 20, foreseen >> 20)
