/// A group of devices that stays together: several devices that contacts connect, over some time.
///
/// At every moment the contacts of a floor connect devices to groups; a group may be longer than the contact distance, as in a
/// queue. A gathering lasts as long as such a group has a minimum of members. Groups of two moments belong to one gathering when a
/// chain of groups leads from one to the other in time, each with a device of the one before it: members may come and go, and
/// groups may merge and part. Contacts are closed intervals, so a contact that ends when another begins connects both for that moment.
package struct Gathering: Hashable, Sendable {
  /// A device that took part.
  package struct Member: Hashable, Sendable {
    /// Its index.
    package var device: Int32
    /// How long it was in a group of the gathering, microseconds.
    package var present: Int64
  }

  /// The floor of the contacts, as ``Contact/floor``.
  package var floor: Int32
  /// Microseconds since 1970, UTC.
  package var start: Int64
  /// Microseconds since 1970, UTC; equal to `start` for a moment.
  package var end: Int64
  /// The largest number of devices in one group.
  package var peak: Int
  /// The first moment of that number, microseconds since 1970, UTC.
  package var peakTime: Int64
  /// The mean of the places of the contacts of that group, metres east in the frame of the input. The place of a contact is
  /// the middle between its devices at their smallest distance.
  package var x: Double
  /// The same, metres north.
  package var y: Double
  /// The devices that took part, by their index.
  package var members: [Member]

  /// The length in microseconds.
  package var duration: Int64 { end - start }

  /// The order of a list: by start, floor and first member.
  package static func isListedBefore(_ lhs: Gathering, _ rhs: Gathering) -> Bool {
    if lhs.start != rhs.start { return lhs.start < rhs.start }
    if lhs.floor != rhs.floor { return lhs.floor < rhs.floor }
    return (lhs.members.first?.device ?? 0) < (rhs.members.first?.device ?? 0)
  }
}

/// Finds gatherings in contacts.
package struct GatheringFinder: Hashable, Sendable {
  /// The minimum number of devices, at least 2.
  package var minimumSize: Int
  /// The minimum length of a gathering, microseconds.
  package var minimumDuration: Int64
  /// The longest interruption of the contact of a pair that does not part it, microseconds.
  package var bridge: Int64

  /// A finder.
  package init(minimumSize: Int = 3, minimumDuration: Int64 = 0, bridge: Int64 = 0) {
    self.minimumSize = max(minimumSize, 2)
    self.minimumDuration = max(minimumDuration, 0)
    self.bridge = max(bridge, 0)
  }

  /// Returns the gatherings of contacts, in the order of ``Gathering/isListedBefore(_:_:)``.
  ///
  /// Complexity: O(n log n) in the contacts, and the size of a group for each contact that ends in it.
  /// - Parameter contacts: of one venue, in any order.
  package func gatherings(in contacts: [Contact]) -> [Gathering] {
    let sorted = bridged(contacts).sorted { ($0.floor, $0.start) < ($1.floor, $1.start) }
    var found: [Gathering] = []
    var first = 0
    while first < sorted.count {
      var end = first
      while end < sorted.count, sorted[end].floor == sorted[first].floor { end += 1 }
      var sweep = GatheringSweep(sorted[first..<end], minimumSize: minimumSize)
      found += sweep.gatherings().filter { $0.duration >= minimumDuration }
      first = end
    }
    return found.sorted(by: Gathering.isListedBefore)
  }

  /// Contacts of a pair on one floor whose interruptions are short become one; the place is that of the smallest distance.
  private func bridged(_ contacts: [Contact]) -> [Contact] {
    guard bridge > 0 else { return contacts }
    let byPair = contacts.sorted {
      ($0.floor, $0.first, $0.second, $0.start) < ($1.floor, $1.first, $1.second, $1.start)
    }
    var joined: [Contact] = []
    for contact in byPair {
      guard let last = joined.last, last.floor == contact.floor, last.first == contact.first,
        last.second == contact.second, contact.start.subtractingReportingOverflow(last.end).partialValue <= bridge
      else {
        joined.append(contact)
        continue
      }
      var whole = contact.minimumDistance < last.minimumDistance ? contact : last
      whole.start = last.start
      whole.end = max(last.end, contact.end)
      joined[joined.count - 1] = whole
    }
    return joined
  }
}
