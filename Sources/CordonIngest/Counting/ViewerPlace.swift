internal import CordonContacts
internal import CordonCore

/// Where devices are counted for viewers: a floor of a venue, or a space on it.
package struct CountedPlace: Hashable, Sendable, Comparable {
  /// Thousandths of an ordinal, or `Segment.unknownFloor`.
  package var floor: Int32
  /// The number of the space; 0 for the whole floor.
  package var space: Int64

  /// A place.
  package init(floor: Int32, space: Int64) {
    self.floor = floor
    self.space = space
  }

  /// Floors by ordinal, spaces by number.
  package static func < (lhs: CountedPlace, rhs: CountedPlace) -> Bool {
    (lhs.floor, lhs.space) < (rhs.floor, rhs.space)
  }
}

/// The number that viewers see of a place, and the devices that it was counted from.
///
/// The number stays as it is until enough devices came or went: a single arrival or departure never shows. So every
/// change of any number, and of any sum or difference of numbers, is the work of several devices. Counting members, and
/// not events, keeps one device that comes and goes again from changing anything. How many are enough is drawn anew each
/// time, and a number is drawn near the count, so that a viewer who knows of all other devices is not sure of the last one.
package struct ViewerPlace: Hashable, Sendable {
  /// The number that viewers see, a multiple of the smallest count; 0 for "fewer".
  package var devices: Int64 = 0
  /// How many devices must come or go for the next change; 0 before the first.
  package var threshold: Int64 = 0
  /// The devices that were there when the number was last changed, by number.
  package var members: Set<Int64> = []

  /// A place of which nothing is known.
  package init() {}

  /// Takes in which devices are there in a bin; answers whether that was enough for a new number.
  /// - Parameter smallest: the fewest devices that must have come or gone, and what numbers are rounded to.
  mutating func update(_ present: Set<Int64>, smallest: Int, random: inout RandomBits) -> Bool {
    let smallest = Int64(max(smallest, 1))
    // When all have gone that is enough.
    let needed = present.isEmpty ? smallest : max(smallest, threshold)
    guard Int64(present.symmetricDifference(members).count) >= needed else { return false }
    members = present
    devices = max(0, Int64(present.count) + random.noise()) / smallest * smallest
    threshold = smallest + Int64(random.number(below: UInt64(smallest)))
    return true
  }
}

extension RandomBits {
  private mutating func word() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// A number below a limit; the limit is small, so that all are as likely.
  fileprivate mutating func number(below limit: UInt64) -> UInt64 { word() % limit }

  /// A whole number of two-sided geometric distribution with epsilon 1/2: what one device adds to a count makes no number
  /// more than 1.65 times as likely.
  fileprivate mutating func noise() -> Int64 {
    // e^(-1/2) of all words.
    let limit: UInt64 = 11_188_515_852_577_165_312
    var counts: [Int64] = [0, 0]
    for index in 0..<2 { while counts[index] < 1_000, word() < limit { counts[index] += 1 } }
    return counts[0] - counts[1]
  }
}

/// Where a device was in a bin: the one place in which it stayed longest.
struct BinPresence {
  /// Milliseconds since 1970.
  let span: ClosedRange<Int64>
  /// How long a position lasts when nothing follows it.
  let gap: TimeSpan

  /// The row of the place in which a device stayed longest; of several as long the lowest counts. `nil` where it was not there.
  func longest(_ rows: [StoredPosition]) -> StoredPosition? {
    var times: [CountedPlace: (time: Int64, row: StoredPosition)] = [:]
    for (index, row) in rows.enumerated() {
      let next = index + 1 < rows.count ? rows[index + 1].time : Int64.max
      let stay = max(row.stillUntil ?? row.time, row.time)
      // On to the next position, unless that is too far away.
      let end = next - stay <= gap.milliseconds ? next : stay
      let (from, to) = (max(row.time, span.lowerBound), min(end, span.upperBound))
      guard to > from || span.contains(row.time), row.time < span.upperBound else { continue }
      let place = CountedPlace(floor: row.floor ?? Segment.unknownFloor, space: row.space ?? 0)
      times[place] = ((times[place]?.time ?? 0) + max(to - from, 1), row)
    }
    return times.max { ($0.value.time, $1.key) < ($1.value.time, $0.key) }?.value.row
  }
}
