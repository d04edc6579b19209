/// Counts contacts, pairs and time without keeping the contacts.
package struct ContactSummary: ContactSink {
  /// The number of contacts.
  package private(set) var contacts = 0
  /// The sum of their lengths, microseconds.
  package private(set) var overlap: Int64 = 0
  private var totals = PairTotals()

  /// An empty summary.
  package init() {}

  /// False: sums do not depend on order.
  package var needsOrder: Bool { false }

  /// The number of pairs of devices that met at least once.
  package var pairs: Int { totals.pairs }

  /// The number of pairs whose contacts add up to 15 minutes or more.
  package var pairsOf15Minutes: Int { totals.pairs(ofAtLeast: 900_000_000) }

  /// The sum of the lengths in seconds.
  package var overlapSeconds: Double { Double(overlap) / 1e6 }

  /// Adds contacts.
  package mutating func receive(_ contacts: [Contact]) {
    self.contacts += contacts.count
    for contact in contacts { overlap += contact.duration }
    totals.add(contacts)
  }
}
