/// Why a message could not be read: what was wrong, and where.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first byte that does not fit, counted from 0.
  public var offset: Int
  /// The row of a batch, counted from 0, when the fault is in one.
  public var row: Int?
  /// What was expected.
  public var reason: String

  /// A fault.
  public init(offset: Int, row: Int? = nil, _ reason: String) {
    self.offset = offset
    self.row = row
    self.reason = reason
  }

  /// `row 3, byte 120: expected a number`.
  public var description: String {
    (row.map { "row \($0), " } ?? "") + "byte \(offset): \(reason)"
  }
}
