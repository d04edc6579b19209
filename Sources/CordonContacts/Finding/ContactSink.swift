/// What takes contacts in as the engine closes them.
public protocol ContactSink {
  /// What may go wrong in taking them in; the engine stops then.
  associatedtype Failure: Error = Never

  /// Whether contacts must come in the order of their ends (then of their starts, devices and floors), which
  /// does not depend on slabs and threads. A sink that only adds up can do without.
  var needsOrder: Bool { get }

  /// Takes the next contacts, which nothing can change any more.
  mutating func receive(_ contacts: [Contact]) throws(Failure)
}

/// Keeps all contacts in memory.
public struct ContactList: ContactSink {
  /// What came so far.
  public private(set) var contacts: [Contact] = []
  /// False: the list is sorted by whoever needs it.
  public var needsOrder: Bool { false }

  /// An empty list.
  public init() {}

  /// Adds contacts.
  public mutating func receive(_ contacts: [Contact]) {
    self.contacts.append(contentsOf: contacts)
  }
}

extension Contact {
  /// The order in which contacts become final: by end, then as listed.
  static func isClosedBefore(_ lhs: Contact, _ rhs: Contact) -> Bool {
    lhs.end != rhs.end ? lhs.end < rhs.end : isListedBefore(lhs, rhs)
  }
}
