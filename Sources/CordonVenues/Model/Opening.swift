public import CordonCore

/// A passage through a wall on one floor: a door, a gate, a gap, or an entrance from outside.
public struct Opening: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The floor of the opening.
  public var floor: FloorID
  /// The threshold: two points, or one point if the source has only a position.
  public var line: [Coordinate]
  /// The known spaces that the opening connects: none, one (the other side is outside or unknown) or two.
  public var spaces: [SpaceID]
  /// Whether the opening leads out of the building.
  public var isEntrance: Bool
  /// Whether people can pass in both directions.
  public var isTwoWay: Bool
  /// The kind in the words of the source.
  public var sourceKind: String
  /// The name, by language; empty if the source has none.
  public var name: LocalizedText

  /// Creates an opening from its parts.
  public init(
    id: String, floor: FloorID, line: [Coordinate], spaces: [SpaceID] = [], isEntrance: Bool = false,
    isTwoWay: Bool = true, sourceKind: String = "", name: LocalizedText = LocalizedText()
  ) {
    self.id = id
    self.name = name
    self.floor = floor
    self.line = line
    self.spaces = spaces
    self.isEntrance = isEntrance
    self.isTwoWay = isTwoWay
    self.sourceKind = sourceKind
  }
}

/// A connection between floors.
public struct Connection: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The kind of connection.
  public var kind: Kind
  /// The name, by language; often that of a point of interest at a landing.
  public var name: LocalizedText
  /// The landings, one or more on each floor that the connection serves.
  public var landings: [Landing]
  /// Whether the source states that wheelchairs can use the connection.
  public var isAccessible: Bool
  /// Whether the connection can be used in both directions.
  public var isTwoWay: Bool
  /// The kind in the words of the source.
  public var sourceKind: String

  /// The kind of a connection.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case stairs, elevator, escalator, ramp, ladder, movingWalkway = "moving-walkway", unknown
  }

  /// A place on one floor where people enter or leave a connection.
  public struct Landing: Hashable, Sendable {
    /// The floor of the landing.
    public var floor: FloorID
    /// The position of the landing.
    public var position: Coordinate
    /// The space of the landing, if it is known.
    public var space: SpaceID?
    /// Whether people can enter the connection here.
    public var isEntry: Bool
    /// Whether people can leave the connection here.
    public var isExit: Bool

    /// Creates a landing from its parts.
    public init(floor: FloorID, position: Coordinate, space: SpaceID? = nil, isEntry: Bool = true, isExit: Bool = true)
    {
      self.floor = floor
      self.position = position
      self.space = space
      self.isEntry = isEntry
      self.isExit = isExit
    }
  }

  /// Creates a connection from its parts.
  public init(
    id: String, kind: Kind, name: LocalizedText = LocalizedText(), landings: [Landing], isAccessible: Bool = false,
    isTwoWay: Bool = true, sourceKind: String = ""
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.landings = landings
    self.isAccessible = isAccessible
    self.isTwoWay = isTwoWay
    self.sourceKind = sourceKind
  }
}
