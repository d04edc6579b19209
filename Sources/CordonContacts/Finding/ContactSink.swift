/// A receiver of contacts as the engine closes them.
public protocol ContactSink {
  /// The error of receiving contacts. The engine stops at the first error.
  associatedtype Failure: Error = Never

  /// Whether contacts must arrive in the order of their ends (then of their starts, devices and floors). That order does
  /// not depend on slabs and threads. A sink that only computes sums does not need it.
  var needsOrder: Bool { get }

  /// Receives the next contacts, all of them final.
  mutating func receive(_ contacts: [Contact]) throws(Failure)
}

/// A sink that keeps all contacts in memory.
package struct ContactList: ContactSink {
  /// The contacts received so far.
  package private(set) var contacts: [Contact] = []
  /// False: the callers that need an order sort the list.
  package var needsOrder: Bool { false }

  /// An empty list.
  package init() {}

  /// Adds contacts.
  package mutating func receive(_ contacts: [Contact]) {
    self.contacts.append(contentsOf: contacts)
  }
}

extension Contact {
  /// The order in which contacts become final: by end, then in listing order.
  static func isClosedBefore(_ lhs: Contact, _ rhs: Contact) -> Bool {
    lhs.end != rhs.end ? lhs.end < rhs.end : isListedBefore(lhs, rhs)
  }

  /// Returns contacts in the order in which they become final. Ends and places are sorted, since moving them takes less time than
  /// moving contacts.
  static func inClosingOrder(_ contacts: [Contact]) -> [Contact] {
    var order = contacts.indices.map { (end: contacts[$0].end, place: $0) }
    order.sort { lhs, rhs in
      lhs.end != rhs.end ? lhs.end < rhs.end : isListedBefore(contacts[lhs.place], contacts[rhs.place])
    }
    return order.map { contacts[$0.place] }
  }
}
