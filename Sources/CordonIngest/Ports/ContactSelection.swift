package import CordonContacts

/// The contacts that a query of a store selects, in the order of their starts.
package struct ContactSelection: Hashable, Sendable {
  /// Of which venue; `nil` for every one.
  package var venue: Int64?
  /// Of which device; `nil` for all.
  package var device: Int64?
  /// Those that overlap it, microseconds.
  package var span: ClosedRange<Int64>
  /// Those that last no shorter, microseconds.
  package var minimumDuration: Int64 = 0
  /// Those behind it.
  package var after: ContactCursor?
  /// The maximum number of contacts.
  package var limit: Int

  /// A selection.
  package init(venue: Int64? = nil, device: Int64? = nil, span: ClosedRange<Int64>, limit: Int) {
    self.venue = venue
    self.device = device
    self.span = span
    self.limit = limit
  }
}

/// A place in the order of contacts: by start, then by the two devices and the floor. It is that of a contact's key, so it
/// stays where it is while contacts come and go before and behind it.
package struct ContactCursor: Hashable, Sendable, Comparable, LosslessStringConvertible {
  package var start: Int64
  package var first: Int32
  package var second: Int32
  package var floor: Int32

  /// The place of a contact.
  package init(_ contact: Contact) {
    (start, first, second, floor) = (contact.start, contact.first, contact.second, contact.floor)
  }

  /// The place behind all contacts that start at a time, microseconds.
  init(endOf start: Int64) { (self.start, first, second, floor) = (start, .max, .max, .max) }

  /// Reads what ``description`` wrote; `nil` for anything else.
  package init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let start = Int64(parts[0]), let first = Int32(parts[1]), let second = Int32(parts[2]),
      let floor = Int32(parts[3])
    else { return nil }
    (self.start, self.first, self.second, self.floor) = (start, first, second, floor)
  }

  /// Four numbers with points between.
  package var description: String { "\(start).\(first).\(second).\(floor)" }

  /// By start, devices, floor.
  package static func < (a: ContactCursor, b: ContactCursor) -> Bool {
    (a.start, a.first, a.second, a.floor) < (b.start, b.first, b.second, b.floor)
  }
}

extension PositionStore {
  /// The contacts that overlap a span (microseconds), by start.
  package func contacts(
    in venue: Int64?, device: Int64?, overlapping span: ClosedRange<Int64>, limit: Int
  ) throws(StoreFault) -> [Contact] {
    try contacts(ContactSelection(venue: venue, device: device, span: span, limit: limit))
  }
}
