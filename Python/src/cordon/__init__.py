"""Contacts, exposures and occupancy from positions, and simulated buildings.

Data frames go in, data frames come out; the work is done by the ``cordon`` executable that the package carries::

    import cordon
    contacts = cordon.contacts("points.parquet", distance=2.0, max_gap="30s")

Times are UTC, longitude comes before latitude (degrees of WGS 84), lengths are metres and durations seconds unless a name
says otherwise.
"""

from ._contacts import backtrace, contacts, exposures, gatherings, network, occupancy
from ._errors import (
    CordonError,
    CordonWarning,
    ExecutableNotFoundError,
    InputError,
    InternalError,
    MissingDependencyError,
)
from ._executable import executable
from ._layout import write_points
from ._parquet import to_parquet
from ._run import Run
from ._simulation import compare, replay, simulate, sweep
from ._venue import Venue
from ._version import VERSION as __version__

__all__ = [
    "CordonError",
    "CordonWarning",
    "ExecutableNotFoundError",
    "InputError",
    "InternalError",
    "MissingDependencyError",
    "Run",
    "Venue",
    "__version__",
    "backtrace",
    "compare",
    "contacts",
    "executable",
    "exposures",
    "gatherings",
    "network",
    "occupancy",
    "replay",
    "simulate",
    "sweep",
    "to_parquet",
    "write_points",
]
