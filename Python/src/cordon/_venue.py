"""Maps of buildings."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

from ._errors import InputError
from ._executable import run
from ._frames import _import
from ._points import existing


class Venue:
    """A map: MVF 1 to 3, IMDF, WRLD or GeoJSON.

    Attributes:
        path: the file or folder of the map.
        overlay: the file of changes to the map, if one was given; one beside the map is used without that.
    """

    def __init__(
        self, path: Union[str, "os.PathLike[str]"], overlay: Optional[Union[str, "os.PathLike[str]"]] = None
    ) -> None:
        """Names a map; it is read when something is asked.

        Raises:
            InputError: the file does not exist.
        """
        self.path = Path(existing(path))
        self.overlay = Path(existing(overlay)) if overlay is not None else None
        self._info: Optional[dict[str, Any]] = None
        self._features: Optional[list[dict[str, Any]]] = None

    def __repr__(self) -> str:
        return f"Venue({str(self.path)!r})"

    def __fspath__(self) -> str:
        return str(self.path)

    def _words(self) -> list[str]:
        words = [existing(self.path)]
        return words + ["--overlay", existing(self.overlay)] if self.overlay else words

    @property
    def info(self) -> dict[str, Any]:
        """The keys of ``cordon.venue-info/1``: floors, counts, areas, entrances.

        Raises:
            InputError: the map cannot be read, with the place.
        """
        if self._info is None:
            self._info = run(["venue", "info", *self._words()]).summary
        assert self._info is not None
        return self._info

    @property
    def name(self) -> str:
        """The name of the venue."""
        return str(self.info["name"])

    @property
    def spaces(self) -> Any:
        """The spaces, a GeoDataFrame of polygons in WGS 84: ``id``, ``name``, ``kind``, ``floor`` (ordinal), ``floor_id``.

        Raises:
            InputError: the map cannot be read, with the place.
            MissingDependencyError: geopandas is not installed.
        """
        return self._frame("space", ["id", "name", "kind", "floor", "floor_id"])

    @property
    def floors(self) -> Any:
        """The floors, a GeoDataFrame: ``id``, ``name``, ``floor`` (ordinal)."""
        return self._frame("floor", ["id", "name", "floor"])

    @property
    def openings(self) -> Any:
        """The doors and other passages, a GeoDataFrame: ``id``, ``name``, ``floor`` (ordinal), ``floor_id``."""
        return self._frame("opening", ["id", "name", "floor", "floor_id"])

    def validate(self) -> list[dict[str, Any]]:
        """The findings of ``cordon venue validate``: ``severity``, ``code``, ``object``, ``message`` and more."""
        summary = run(["venue", "validate", *self._words()], finds=True).summary
        findings: list[dict[str, Any]] = summary["findings"]
        return findings

    def plot(self, floor: float = 0, ax: Any = None, *, by_kind: bool = True, **style: Any) -> Any:
        """Draws the spaces of a floor with matplotlib.

        Args:
            floor: the ordinal of the floor.
            ax: the axes to draw on; by default new ones.
            by_kind: whether kinds of spaces have colours.
            **style: passed to ``GeoDataFrame.plot``.

        Returns:
            The axes; their x and y are longitude and latitude, with the aspect of metres.

        Raises:
            InputError: the map has no such floor.
            MissingDependencyError: geopandas or matplotlib is not installed.
        """
        _import("matplotlib")
        spaces = self.spaces
        spaces = spaces[spaces["floor"] == floor]
        if spaces.empty:
            ordinals = ", ".join(f"{each['ordinal']:g}" for each in self.info["floors"])
            raise InputError(f"there is no space on floor {floor:g}; the floors are {ordinals}", code="not-found")
        options = {"edgecolor": "#555555", "linewidth": 0.6, **style}
        if by_kind and "color" not in options and "column" not in options:
            options.update(column="kind", cmap="Pastel1", categorical=True, legend=True)
            options.setdefault("legend_kwds", {"fontsize": 7, "loc": "center left", "bbox_to_anchor": (1, 0.5)})
        axes = spaces.plot(ax=ax, **options)
        axes.set_title(f"{self.name}, floor {floor:g}")
        axes.set_xticks([])
        axes.set_yticks([])
        return axes

    def _frame(self, feature: str, columns: list[str]) -> Any:
        geopandas = _import("geopandas")
        if self._features is None:
            self._features = self._read()
        rows = []
        geometries = []
        shape = _import("shapely").geometry.shape
        ordinals = {
            floor["id"]: floor["ordinal"]
            for floor in (each["properties"]["cordon"] for each in self._features)
            if floor["feature"] == "floor"
        }
        for each in self._features:
            own = each["properties"]["cordon"]
            if own["feature"] != feature:
                continue
            floor_id = own.get("floor")
            ordinal = own["ordinal"] if feature == "floor" else ordinals.get(floor_id)
            rows.append({**own, "floor_id": floor_id, "floor": ordinal})
            geometries.append(None if each["geometry"] is None else shape(each["geometry"]))
        values = {name: [row.get(name) for row in rows] for name in columns}
        return geopandas.GeoDataFrame(values, geometry=geometries, crs="EPSG:4326")

    def _read(self) -> list[dict[str, Any]]:
        with tempfile.TemporaryDirectory(prefix="cordon-") as folder:
            path = os.path.join(folder, "venue.geojson")
            run(["venue", "convert", *self._words(), "--output-format", "geojson", "-o", path, "--quiet"])
            with open(path, encoding="utf-8") as file:
                features: list[dict[str, Any]] = json.load(file)["features"]
        return [each for each in features if "cordon" in each.get("properties", {})]
