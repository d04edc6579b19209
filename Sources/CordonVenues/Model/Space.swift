public import CordonCore
public import CordonGeometry

/// An area of a floor in which people can be, such as a room, a corridor, a shop or a stairwell.
public struct Space: Hashable, Sendable {
  /// The identifier in the source.
  public var id: SpaceID
  /// The floor of the space.
  public var floor: FloorID
  /// The purpose of the space.
  public var kind: SpaceKind
  /// The kind in the words of the source, such as `room`, `Non Public` or `restroom.male`; may be empty.
  public var sourceKind: String
  /// The name, by language; empty if the source has none.
  public var name: LocalizedText
  /// The outline of the space; holes are not part of it.
  public var outline: GeoMultiPolygon
  /// The kind in the map, if an overlay states another one; otherwise `nil`.
  ///
  /// Rules about recording apply to both kinds, so that a restroom stays one.
  package var mappedKind: SpaceKind?
  /// The group that the space belongs to, such as a department; `nil` for none. Readers leave it empty.
  package var group: String?
  /// The number of people that the space may hold; `nil` if nobody states it. Readers leave it empty.
  package var capacity: Int?
  /// The height of the ceiling above the floor, in metres; `nil` if nobody states it. Readers leave it empty.
  package var ceilingHeight: Double?
  /// The outdoor air changes per hour; `nil` if nobody states them. Readers leave it empty.
  package var airChanges: Double?
  /// The highest level of recording in the space; `nil` for no limit of its own. Readers leave it empty.
  ///
  /// A policy can record less, and never more.
  package var recording: GateVerdict.Recording?

  /// Creates a space from its parts.
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

/// The purpose of a space, in one vocabulary for all formats.
public enum SpaceKind: String, Hashable, Sendable, CaseIterable {
  case room, office, meetingRoom = "meeting-room", classroom, laboratory, library, auditorium, lobby, corridor
  case shop, restaurant, kitchen, restroom, prayerRoom = "prayer-room", medical, ward, waitingArea = "waiting-area"
  case storage, service, exhibition, sports, platform, parking, terrace, outdoor
  case stairs, elevator, escalator, ramp, movingWalkway = "moving-walkway"
  case openToBelow = "open-to-below", inaccessible, area, unknown

  /// Whether people can walk on spaces of this kind.
  public var isWalkable: Bool {
    switch self {
    case .openToBelow, .inaccessible: false
    default: true
    }
  }

  /// Whether spaces of this kind lead to other floors.
  public var isVertical: Bool {
    switch self {
    case .stairs, .elevator, .escalator, .ramp: true
    default: false
    }
  }
}

/// A solid object, such as a wall, a column or a desk.
public struct Barrier: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The floor of the barrier.
  public var floor: FloorID
  /// The kind in the words of the source.
  public var sourceKind: String
  /// The position and shape of the barrier.
  public var shape: Shape

  /// The shape of a barrier: lines are walls without thickness, polygons are solid.
  public enum Shape: Hashable, Sendable {
    case lines([[Coordinate]])
    case area(GeoMultiPolygon)
  }

  /// Creates a barrier from its parts.
  public init(id: String, floor: FloorID, sourceKind: String = "", shape: Shape) {
    self.id = id
    self.floor = floor
    self.sourceKind = sourceKind
    self.shape = shape
  }
}
