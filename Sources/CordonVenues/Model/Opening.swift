public import CordonCore

/// A way through a wall on one floor: a door, a gate, a gap; or the way in from outside.
public struct Opening: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The floor it is on.
  public var floor: FloorID
  /// The threshold: usually two points; one when the source gives only a position.
  public var line: [Coordinate]
  /// The spaces it joins, as far as they are known: none, one (the other side is outside or unnamed) or two.
  public var spaces: [SpaceID]
  /// Whether it leads out of the building.
  public var isEntrance: Bool
  /// Whether it can be walked through both ways.
  public var isTwoWay: Bool
  /// What the source called it.
  public var sourceKind: String

  /// Takes the parts as they are.
  public init(
    id: String, floor: FloorID, line: [Coordinate], spaces: [SpaceID] = [], isEntrance: Bool = false,
    isTwoWay: Bool = true, sourceKind: String = ""
  ) {
    self.id = id
    self.floor = floor
    self.line = line
    self.spaces = spaces
    self.isEntrance = isEntrance
    self.isTwoWay = isTwoWay
    self.sourceKind = sourceKind
  }
}

/// A way between floors.
public struct Connection: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// What it is.
  public var kind: Kind
  /// The name, by language; often that of a place of interest at a landing.
  public var name: LocalizedText
  /// Where it can be entered or left, one or more for each floor it serves.
  public var landings: [Landing]
  /// Whether the source says that wheelchairs can use it.
  public var isAccessible: Bool
  /// Whether it can be used both ways.
  public var isTwoWay: Bool
  /// What the source called it.
  public var sourceKind: String

  /// What people walk or ride on.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case stairs, elevator, escalator, ramp, ladder, movingWalkway = "moving-walkway", unknown
  }

  /// A place on one floor where a connection is entered or left.
  public struct Landing: Hashable, Sendable {
    /// The floor it is on.
    public var floor: FloorID
    /// Where it is entered or left.
    public var position: Coordinate
    /// The space of the landing, when known.
    public var space: SpaceID?
    /// Whether it can be entered here.
    public var isEntry: Bool
    /// Whether it can be left here.
    public var isExit: Bool

    /// Takes the parts as they are.
    public init(floor: FloorID, position: Coordinate, space: SpaceID? = nil, isEntry: Bool = true, isExit: Bool = true)
    {
      self.floor = floor
      self.position = position
      self.space = space
      self.isEntry = isEntry
      self.isExit = isExit
    }
  }

  /// Takes the parts as they are.
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
