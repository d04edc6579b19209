public import CordonCore

/// A purely visual element of a map, such as a symbol or a line on the ground; it is not an obstacle.
public struct Annotation: Hashable, Sendable {
  /// The identifier in the source.
  public var id: String
  /// The floor of the annotation.
  public var floor: FloorID
  /// The symbol that the source names, such as `fire-extinguisher`; empty for a plain line.
  public var symbol: String
  /// The lines to draw; for a symbol, one line with one position.
  public var lines: [[Coordinate]]

  /// Creates an annotation from its parts.
  public init(id: String, floor: FloorID, symbol: String = "", lines: [[Coordinate]]) {
    self.id = id
    self.floor = floor
    self.symbol = symbol
    self.lines = lines
  }
}
