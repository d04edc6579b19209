"""The meaning of columns, by their names: the same names as `cordon contacts` knows."""

from __future__ import annotations

from typing import Optional, Sequence

#: The known names of each field, the likeliest first, as ``normalised`` makes them; docs/reference/input.md lists them.
NAMES: dict[str, tuple[str, ...]] = {
    "device": (
        "device", "deviceid", "dev", "devicename", "individuallocalidentifier", "taglocalidentifier",
        "individualid", "userid", "uid", "user", "username", "personid", "person", "agentid", "agent",
        "pedestrianid", "visitorid", "vehicleid", "objectid", "objid", "entityid", "trackerid", "trackid",
        "trajectoryid", "trajid", "badgeid", "tagid", "macaddress", "mac", "imei", "mmsi", "uniqueid",
        "gerät", "geraet", "geräteid", "geraeteid", "kennung", "tid", "topic", "id",
    ),
    "time": (
        "tst", "time", "t", "tms", "timems", "timestamp", "timestampms", "ts", "times", "timestamps",
        "timeus", "timens", "timestampus", "timestampns", "tsms", "tsus", "tsns", "tus", "tns", "epoch",
        "epochms", "epochs", "unixtime", "unixtimestamp", "unixtimems", "datetime", "datetimeutc",
        "timeutc", "timestamputc", "utctime", "utctimestamp", "utc", "fixtime", "gpstime", "locationtime",
        "recordedat", "recordedtime", "measuredat", "observedat", "eventtime", "positiontime",
        "basedatetime", "devicetime", "servertime", "isotst", "locationtimestampsince1970", "uhrzeit",
        "zeit", "zeitpunkt", "zeitstempel", "date", "datum",
    ),
    "date": (
        "date", "day", "gpsdate", "utcdate", "dateutc", "datum", "tag",
    ),
    "longitude": (
        "lon", "lng", "longitude", "long", "locationlong", "locationlon", "locationlng",
        "locationlongitude", "gpslongitude", "gpslon", "gpslng", "pointlongitude", "pointlon", "pointlng",
        "coordslongitude", "longitudedeg", "londeg", "länge", "laenge", "längengrad", "laengengrad",
    ),
    "latitude": (
        "lat", "latitude", "locationlat", "locationlatitude", "gpslatitude", "gpslat", "pointlatitude",
        "pointlat", "coordslatitude", "latitudedeg", "latdeg", "breite", "breitengrad",
    ),
    "x": (
        "x", "xm", "posx", "positionx", "xcoordinate", "xcoord", "easting", "utmeasting",
    ),
    "y": (
        "y", "ym", "posy", "positiony", "ycoordinate", "ycoord", "northing", "utmnorthing",
    ),
    "geometry": (
        "geometry", "geom", "wkt", "wkb", "ewkb", "wkbgeometry", "thegeom", "geog", "stastext", "astext",
        "point", "location", "position",
    ),
    "floor": (
        "floor", "locationfloor", "level", "ordinal", "floorordinal", "floorlevel", "floorid", "floorname",
        "floornumber", "storey", "story", "etage", "geschoss", "stockwerk",
    ),
    "accuracy": (
        "acc", "accuracy", "accuracym", "horizontalaccuracy", "horizontalaccuracym", "accm", "hacc",
        "gpsaccuracy", "locationaccuracy", "locationhorizontalaccuracy", "positionaccuracy",
        "coordsaccuracy", "accuracymeters", "accuracymetres", "genauigkeit",
    ),
    "still_until": (
        "stilluntil", "stilluntilms",
    ),
    "venue": (
        "venue", "venueid",
    ),
    "mocked": (
        "mocked", "ismocked", "ismock", "mock",
    ),
}

#: The fields that a caller may name.
FIELDS = tuple(NAMES)


def normalised(name: str) -> str:
    """Returns a name in lower case without what separates its words and without a unit in brackets."""
    head = name
    for bracket in "([":
        head = head.split(bracket, 1)[0]
    return "".join(letter for letter in head if letter.isalpha() or letter in "0123456789").lower()


def guess(names: Sequence[str], taken: dict[str, str]) -> dict[str, str]:
    """Returns the column of each field.

    Args:
        names: the columns of a table, in their order.
        taken: the columns that the caller names; a column has one meaning.
    """
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(normalised(name), name)
    found = dict(taken)
    for field, aliases in NAMES.items():
        if field in found:
            continue
        column: Optional[str] = next(
            (known[alias] for alias in aliases if alias in known and known[alias] not in found.values()), None
        )
        if column is not None:
            found[field] = column
    return found
