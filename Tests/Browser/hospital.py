"""Maps for the tests of pages: a hospital with an island, and a floor of many rooms."""

import json

# Degrees a metre at the position of the maps.
EAST = 1 / 74_520.0
NORTH = 1 / 111_200.0


class Map:
    """Features of a GeoJSON map with OpenStreetMap's indoor tags; places are metres to the east and north."""

    def __init__(self):
        self.features = []

    def degrees(self, x, y):
        return [round(11.58 + x * EAST, 8), round(48.14 + y * NORTH, 8)]

    def space(self, id, x, y, width, height, level="0", **tags):
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
        self.add(id, "Polygon", [[self.degrees(*corner) for corner in corners]], level, tags)

    def door(self, id, x, y, level="0", **tags):
        self.add(id, "Point", self.degrees(x, y), level, tags)

    def add(self, id, kind, coordinates, level, tags):
        properties = {"level": level, **tags}
        self.features.append(
            {"type": "Feature", "id": id, "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}})

    def write(self, path):
        path.write_text(json.dumps({"type": "FeatureCollection", "features": self.features}))


def hospital(path, name_of_corridor="Main Corridor"):
    """Writes a hospital: a corridor with six rooms, and a food court with its kitchen behind a thick wall without a door.

    The wall is 1 m thick: too thick for a door that is assumed, and thin enough for one of an overlay.
    """
    plan = Map()
    plan.space("corridor", 0, 0, 60, 4, indoor="corridor", name=name_of_corridor)
    for number in range(6):
        x = number * 10
        plan.space(f"room-{number}", x, 4, 10, 8, indoor="room", name=f"Consultation {number + 1}")
        plan.door(f"door-{number}", x + 5, 4, door="yes")
    plan.door("main", 0, 2, entrance="main", door="yes")
    plan.space("food-court", 0, -9, 40, 8, indoor="room", name="Food Court")
    plan.space("kitchen", 40, -9, 20, 8, indoor="room", name="Kitchen")
    plan.door("kitchen-door", 40, -5, door="yes")
    plan.write(path)


def tower(path):
    """Writes two floors with a stairwell on each, at different places, so that nothing connects the floors."""
    plan = Map()
    for level in ("0", "1"):
        plan.space(f"hall-{level}", 0, 0, 30, 10, level, indoor="corridor", name=f"Hall {level}")
        plan.space(f"lab-{level}", 0, 10, 15, 10, level, indoor="room", name=f"Lab {level}")
        plan.door(f"lab-door-{level}", 7, 10, level, door="yes")
    plan.door("main", 0, 5, entrance="main", door="yes")
    plan.write(path)


def rooms(path, columns=50, rows=20):
    """Writes one floor of `columns` by `rows` rooms, with corridors between pairs of rows, and a door for each room."""
    plan = Map()
    for row in range(rows):
        y = (row // 2) * 14 + (row % 2) * 9
        for column in range(columns):
            id = f"room-{row}-{column}"
            x = column * 5
            plan.space(id, x, y, 5, 5, indoor="room", name=f"Room {row + 1}.{column + 1:02d}")
            plan.door(f"door-{row}-{column}", x + 2.5, y + (5 if row % 2 == 0 else 0), door="yes")
        if row % 2 == 0:
            plan.space(f"corridor-{row}", 0, y + 5, columns * 5, 4, indoor="corridor", name=f"Corridor {row // 2 + 1}")
            plan.door(f"entrance-{row}", 0, y + 7, entrance="yes", door="yes")
    plan.write(path)


def clinic(path):
    """Writes a clinic of two floors that stairs connect: on each a corridor with six rooms."""
    plan = Map()
    for level in ("0", "1"):
        plan.space(f"corridor-{level}", 0, 0, 48, 4, level, indoor="corridor", name=f"Corridor {level}")
        for number in range(6):
            x = number * 8
            kind = ["office", "office", "meeting", "office", "lounge", "office"][number]
            plan.space(f"room-{level}-{number}", x, 4, 8, 7, level, indoor="room", room=kind, name=f"Room {level}.{number + 1}")
            plan.door(f"door-{level}-{number}", x + 4, 4, level, door="yes")
        plan.space(f"stairs-{level}", 48, 0, 6, 4, level, indoor="room", room="stairs", stairs="yes", name="Stairs")
        plan.door(f"stairs-door-{level}", 48, 2, level, door="yes")
    plan.door("main", 0, 2, entrance="main", door="yes")
    plan.write(path)
