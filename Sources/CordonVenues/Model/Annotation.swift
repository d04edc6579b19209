public import CordonCore

/// Something that a map draws for the eye alone: a symbol at a place, a line on the ground. Nothing stands there.
public struct Annotation: Hashable, Sendable {
  /// The source's identifier.
  public var id: String
  /// The floor it is on.
  public var floor: FloorID
  /// The symbol that the source names, `fire-extinguisher` say; empty for a plain line.
  public var symbol: String
  /// Where it is drawn: lines, or one line of one position for a symbol.
  public var lines: [[Coordinate]]

  /// Takes the parts as they are.
  public init(id: String, floor: FloorID, symbol: String = "", lines: [[Coordinate]]) {
    self.id = id
    self.floor = floor
    self.symbol = symbol
    self.lines = lines
  }
}
