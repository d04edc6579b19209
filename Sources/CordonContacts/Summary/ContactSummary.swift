/// Counts contacts, pairs and time without keeping the contacts.
public struct ContactSummary: ContactSink {
  /// The number of contacts.
  public private(set) var contacts = 0
  /// The sum of their lengths, microseconds.
  public private(set) var overlap: Int64 = 0
  private var totals = PairTotals()

  /// An empty summary.
  public init() {}

  /// False: sums do not depend on order.
  public var needsOrder: Bool { false }

  /// The number of pairs of devices that met at least once.
  public var pairs: Int { totals.pairs }

  /// The number of pairs whose contacts add up to 15 minutes or more.
  public var pairsOf15Minutes: Int { totals.pairs(ofAtLeast: 900_000_000) }

  /// The sum of the lengths in seconds.
  public var overlapSeconds: Double { Double(overlap) / 1e6 }

  /// Adds contacts.
  public mutating func receive(_ contacts: [Contact]) {
    self.contacts += contacts.count
    for contact in contacts { overlap += contact.duration }
    totals.add(contacts)
  }
}
