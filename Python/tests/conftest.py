"""Points that several tests use. Every test runs the real executable."""

import datetime
import math
import pathlib
import random

import pandas
import pytest

import cordon

ROOT = pathlib.Path(__file__).resolve().parents[2]
START = datetime.datetime(2026, 3, 2, 8, tzinfo=datetime.timezone.utc)


@pytest.fixture(scope="session")
def office():
    return ROOT / "venues" / "office.mvf.zip"


@pytest.fixture(scope="session")
def run(office, tmp_path_factory):
    return cordon.simulate(office, tmp_path_factory.mktemp("runs") / "run", people=15, duration="8m", seed=3)


@pytest.fixture
def meeting():
    """Two devices, one at rest and one that passes it at 1 m/s and 1 m distance, as metres; a third one far away."""
    rows = []
    for second in range(0, 41):
        time = START + datetime.timedelta(seconds=second)
        rows.append(("rest", time, 500.0, 300.0, 0.0))
        rows.append(("walk", time, 480.0 + second, 301.0, 0.0))
        rows.append(("far", time, 900.0, 900.0, 0.0))
    return pandas.DataFrame(rows, columns=["device", "time", "x", "y", "floor"])


@pytest.fixture
def crowd():
    """Twelve devices that wander about each other, in degrees."""
    randomness = random.Random(17)
    rows = []
    for device in range(12):
        x, y = randomness.uniform(0, 12), randomness.uniform(0, 12)
        for second in range(0, 300, 5):
            x, y = x + randomness.gauss(0, 0.6), y + randomness.gauss(0, 0.6)
            rows.append(
                (
                    f"badge-{device}",
                    START + datetime.timedelta(seconds=second),
                    11.58 + x / (111_320 * math.cos(math.radians(48.14))),
                    48.14 + y / 111_200,
                    device % 2,
                )
            )
    return pandas.DataFrame(rows, columns=["device", "time", "longitude", "latitude", "floor"])
