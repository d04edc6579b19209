"""Measures how fast points reach the engine, and how long `cordon.contacts` takes.

    PYTHONPATH=Python/src CORDON_EXECUTABLE=PATH python Python/benchmarks/reading.py [--rows 4000000]

Prints one JSON object. Rates are points for each second of processor time of the executable: the whole process with points that
never meet, and its own count of the time for input. CSV of the same points is read in the same run.
"""

import argparse
import json
import os
import resource
import subprocess
import tempfile
import time

import pyarrow as pa
import pyarrow.csv

import cordon

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=4_000_000)
options = parser.parse_args()


def points(rows, devices=2_000):
    """Devices in a grid 40 m wide, so that nobody meets: by time, as servers export them."""
    import numpy

    row = numpy.arange(rows)
    device = row % devices
    seconds = row // devices
    drift = (seconds % 100) * 0.01
    return pa.table(
        {
            "device": pa.array(device.astype("int32")).cast(pa.string()).dictionary_encode(),
            "time": pa.array(1_767_600_000_000_000 + seconds * 5_000_000, pa.timestamp("us", "UTC")),
            "x": pa.array(device % 50 * 40.0 + drift + 1_000),
            "y": pa.array(device // 50 * 40.0 + 1_000),
            "floor": pa.array((device % 3).astype("float32")),
        }
    )


def cpu(*arguments):
    """Runs the executable; returns its summary and processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([cordon.executable(), *arguments, "--json"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


with tempfile.TemporaryDirectory() as folder:
    table = points(options.rows)
    arrow, text = os.path.join(folder, "points.arrows"), os.path.join(folder, "points.csv")
    with pa.OSFile(arrow, "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table, max_chunksize=1 << 16)
    plain = table.set_column(1, "time_us", table["time"].cast(pa.int64()))
    plain = plain.set_column(0, "device", plain["device"].cast(pa.string()))
    pyarrow.csv.write_csv(plain, text)
    result = {"rows": options.rows, "arrow_bytes": os.path.getsize(arrow), "csv_bytes": os.path.getsize(text)}
    for name, path in (("arrow", arrow), ("csv", text)):
        summary, seconds = min((cpu("contacts", "find", path, "--metres") for _ in range(3)), key=lambda run: run[1])
        assert summary["points"] == options.rows, summary
        result[f"{name}_process_points_per_cpu_s"] = round(options.rows / seconds)
        result[f"{name}_input_points_per_cpu_s"] = round(options.rows / max(summary["input_cpu_s"], 1e-3))
        result[f"{name}_input_mb_per_cpu_s"] = round(os.path.getsize(path) / 1e6 / max(summary["input_cpu_s"], 1e-3))
    million = points(1_000_000).to_pandas()
    started = time.monotonic()
    cordon.contacts(million, metres=True)
    result["contacts_of_a_million_rows_s"] = round(time.monotonic() - started, 2)
    print(json.dumps(result))
