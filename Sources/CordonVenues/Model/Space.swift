public import CordonCore
public import CordonGeometry

/// An area of a floor that people can be in: a room, a corridor, a shop, a stairwell.
public struct Space: Hashable, Sendable {
  /// The source's identifier.
  public var id: SpaceID
  /// The floor it is on.
  public var floor: FloorID
  /// What it is for.
  public var kind: SpaceKind
  /// What the source called the kind: `room`, `Non Public`, `restroom.male`; empty when it says nothing.
  public var sourceKind: String
  /// The name, by language; empty when the source has none.
  public var name: LocalizedText
  /// Its area; holes are not part of it.
  public var outline: GeoMultiPolygon

  /// Takes the parts as they are.
  public init(
    id: SpaceID, floor: FloorID, kind: SpaceKind, sourceKind: String = "", name: LocalizedText = LocalizedText(),
    outline: GeoMultiPolygon
  ) {
    self.id = id
    self.floor = floor
    self.kind = kind
    self.sourceKind = sourceKind
    self.name = name
    self.outline = outline
  }
}

/// What a space is for, in one vocabulary for all formats.
public enum SpaceKind: String, Hashable, Sendable, CaseIterable {
  case room, office, meetingRoom = "meeting-room", classroom, laboratory, library, auditorium, lobby, corridor
  case shop, restaurant, kitchen, restroom, prayerRoom = "prayer-room", medical, ward, waitingArea = "waiting-area"
  case storage, service, exhibition, sports, platform, parking, terrace, outdoor
  case stairs, elevator, escalator, ramp, movingWalkway = "moving-walkway"
  case openToBelow = "open-to-below", inaccessible, area, unknown

  /// Whether people can walk on it at all.
  public var isWalkable: Bool {
    switch self {
    case .openToBelow, .inaccessible: false
    default: true
    }
  }

  /// Whether it leads to other floors.
  public var isVertical: Bool {
    switch self {
    case .stairs, .elevator, .escalator, .ramp: true
    default: false
    }
  }
}

/// Something solid: a wall, a column, a desk.
public struct Barrier: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The floor it is on.
  public var floor: FloorID
  /// What the source called it.
  public var sourceKind: String
  /// Where it is.
  public var shape: Shape

  /// Lines are walls without thickness; polygons are solid.
  public enum Shape: Hashable, Sendable {
    case lines([[Coordinate]])
    case area(GeoMultiPolygon)
  }

  /// Takes the parts as they are.
  public init(id: String, floor: FloorID, sourceKind: String = "", shape: Shape) {
    self.id = id
    self.floor = floor
    self.sourceKind = sourceKind
    self.shape = shape
  }
}
