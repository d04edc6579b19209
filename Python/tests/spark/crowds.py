"""Random points for the tests of slabs, and their files."""

import datetime
import random

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

START = datetime.datetime(2026, 3, 2, 22, 0, tzinfo=datetime.timezone.utc)
SCHEMA = pa.schema(
    [
        ("device", pa.string()), ("time", pa.timestamp("us", "UTC")), ("longitude", pa.float64()), ("latitude", pa.float64()),
        ("floor", pa.float64()), ("accuracy", pa.float64()), ("still_until", pa.timestamp("us", "UTC")), ("venue", pa.string()),
    ]
)  # fmt: skip
# The middle of each is rounded to another ten thousandth of a degree than its corner.
PLACES = {"Hall A": (11.58003, 48.14003), "plaza/9": (-80.53584, 43.48293), "Hall B": (11.59003, 48.14013)}


def crowd(seed, devices=12, seconds=1_200, rests=True, venues=("Hall A", "plaza/9"), one_venue_each=False):
    """Devices that wander, rest, vanish for a while, change floors and venues, and repeat themselves."""
    randomness = random.Random(seed)
    rows, visits = [], []
    for number in range(devices):
        venue = venues[number % len(venues)]
        x, y = randomness.uniform(0, 7), randomness.uniform(0, 7)
        floor = float(randomness.randrange(2))
        time = randomness.uniform(0, 60)
        while time < seconds:
            at = START + datetime.timedelta(milliseconds=round(time * 1000), microseconds=randomness.randrange(3) * 400)
            still = None
            kind = randomness.random()
            if rests and kind < 0.03:
                length = randomness.choice([20, 90, 400])
                still = at + datetime.timedelta(seconds=length)
                # The device may be heard of before its rest was to end.
                time += length * randomness.choice([0.5, 1.0, 1.2])
                if not one_venue_each and randomness.random() < 0.4:
                    other = randomness.choice(venues)
                    away = at + datetime.timedelta(seconds=length * 0.3)
                    visits.append((f"d{number}", away, *PLACES[other], floor, None, None, other))
            elif kind < 0.06:
                time += randomness.uniform(31, 120)
            elif kind < 0.09:
                floor = randomness.choice([0.0, 1.0, None])
            elif kind < 0.1 and not one_venue_each:
                venue = randomness.choice(venues)
            elif kind < 0.16 and not one_venue_each:
                # A visit between two fixes, which ends the way and the rest here.
                other = randomness.choice(venues)
                visits.append((f"d{number}", at + datetime.timedelta(seconds=0.5), *PLACES[other], floor, None, None, other))
            elif kind > 0.25:
                # A quarter of the fixes repeat the place before: equal distances.
                x, y = x + randomness.gauss(0, 0.7), y + randomness.gauss(0, 0.7)
                x, y = min(max(x, 0), 7), min(max(y, 0), 7)
            longitude, latitude = PLACES[venue]
            accuracy = randomness.choice([None, 1.0, 2.5])
            row = (f"d{number}", at, longitude + x / 75_000, latitude + y / 111_000, floor, accuracy, still, venue)
            rows.append(row)
            if kind > 0.97:
                rows.append((*row[:2], row[2] + 1e-5, *row[3:5], 0.5, *row[6:]))
            time += randomness.choice([1, 5, 5, 5, 29.5])
    columns = list(zip(*rows, *visits))
    table = pa.table([pa.array(column, field.type) for column, field in zip(columns, SCHEMA)], schema=SCHEMA)
    return table.filter(pc.less(table["time"].cast(pa.int64()), int((START.timestamp() + seconds) * 1e6)))


def write(table, folder, parts=3, row_group_size=64):
    """Writes points as files of the layout: of each venue and day, several files, each of a span of time."""
    if "venue" not in table.column_names:
        table = table.append_column("venue", pa.repeat(pa.scalar(None, pa.string()), table.num_rows))
    dates = table["time"].cast(pa.date32())
    for venue in sorted(filter(None, pc.unique(table["venue"]).to_pylist())):
        for date in sorted(pc.unique(dates).to_pylist()):
            here = table.filter(pc.and_(pc.equal(table["venue"], venue), pc.equal(dates, date))).drop_columns("venue")
            if here.num_rows == 0:
                continue
            times = here["time"].cast(pa.int64())
            first, last = pc.min(times).as_py(), pc.max(times).as_py()
            path = folder / f"venue={venue.replace('/', '%2F').replace(' ', '%20')}" / f"date={date}"
            path.mkdir(parents=True)
            for part in range(parts):
                low, high = (first + (last + 1 - first) * k // parts for k in (part, part + 1))
                rows = here.filter(pc.and_(pc.greater_equal(times, low), pc.less(times, high)))
                rows = rows.sort_by([("device", "ascending"), ("time", "ascending")])
                pq.write_table(rows, path / f"part-{part}.parquet", row_group_size=row_group_size)
    return folder


def rows_of(table, names):
    """The rows of contacts in a fixed order, with whole microseconds."""
    columns = []
    for name in names:
        column = table[name] if name in table.column_names else pa.nulls(table.num_rows)
        columns.append((column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist())
    return sorted(zip(*columns), key=repr)
