package import CordonCore

/// Why a message could not be read: what was wrong, and where.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The meaning of a fault for the reader of the message.
  package enum Kind: Hashable, Sendable {
    /// The message is not of the expected form.
    case malformed
    /// The message is longer than the reader allows when it is unpacked.
    case tooLong
    /// The message has more rows than the reader allows.
    case tooManyRows
    /// A number that is JSON, but outside of the range of doubles.
    case numberOutOfRange
    /// A member is missing, or its value is not of the expected kind or range.
    case badMember
    /// The message has a member that is not understood.
    case unknownMember
  }

  /// The kind of the fault, for programs.
  package var kind: Kind
  /// The first byte that does not fit, counted from 0.
  package var offset: Int
  /// The row of a batch, counted from 0, when the fault is in one.
  package var row: Int?
  /// A description of what was expected.
  package var reason: String
  /// The member whose value does not fit, where it is one of a row.
  package var field: String?
  /// Longitude and latitude the other way round, where they are out of range as they came, and in range so. It is a place, so it must not be written into a text.
  package var exchanged: Coordinate?

  /// A fault.
  package init(
    _ kind: Kind = .malformed, offset: Int, row: Int? = nil, _ reason: String, field: String? = nil,
    exchanged: Coordinate? = nil
  ) {
    self.kind = kind
    self.offset = offset
    self.row = row
    self.reason = reason
    self.field = field
    self.exchanged = exchanged
  }

  /// `row 3, byte 120: expected a number`.
  package var description: String {
    (row.map { "row \($0), " } ?? "") + "byte \(offset): \(reason)"
  }
}
