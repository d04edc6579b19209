import CordonContacts
import CordonCore

/// The contacts of a run added up by pair, by person and by space, in one pass over the contacts.
struct PairTotals {
  /// All contacts of two people in one record.
  struct Pair {
    let source: RunSource
    /// The number of a person; less than `second`.
    let first: Int32
    let second: Int32
    /// The number of contacts.
    var contacts = 0
    /// The sum of their durations, microseconds.
    var total: Int64 = 0
    /// The longest contact, microseconds.
    var longest: Int64 = 0
    /// The smallest distance, metres.
    var minimumDistance = Double.infinity
    /// The start of the first contact and the end of the last, microseconds since 1970.
    var start = Int64.max
    var end = Int64.min
    /// The number of the space of the longest contact, or ``ObservedLocation/noSpace``.
    var space = ObservedLocation.noSpace

    fileprivate mutating func add(_ row: RunContact) {
      let duration = row.contact.duration
      if contacts == 0 || duration > longest {
        longest = duration
        space = row.space
      }
      contacts += 1
      total += duration
      minimumDistance = min(minimumDistance, row.contact.minimumDistance)
      start = min(start, row.contact.start)
      end = max(end, row.contact.end)
    }
  }

  /// All contacts of one person.
  struct Person: Hashable {
    /// The number of other people.
    var others = 0
    /// The number of others whose total reaches the warning threshold.
    var longPairs = 0
    /// The sum over all others, microseconds.
    var total: Int64 = 0
    /// The longest contact, microseconds.
    var longest: Int64 = 0
  }

  /// The contacts in one space that last at least as long as the warning threshold.
  struct LongContacts: Hashable {
    var contacts = 0
    /// The sum of their durations, microseconds.
    var total: Int64 = 0
  }

  /// The pairs by source, first and second person; truth comes first.
  private(set) var pairs: [Pair] = []
  /// The totals of every person, by source and number.
  private(set) var people: [RunSource: [Person]] = [:]
  /// The long contacts, by source and number of the space; ``ObservedLocation/noSpace`` is a key.
  private(set) var longContacts: [RunSource: [Int32: LongContacts]] = [:]
  /// The warning threshold, microseconds.
  let threshold: Int64

  /// Adds up the contacts of a run. Complexity: O(*n* + *p* log *p*) for *n* contacts of *p* pairs.
  init(contents: RunContents) {
    threshold = contents.parameters.warningThreshold.milliseconds * 1_000
    for source in RunSource.allCases { add(source, of: contents) }
  }

  private mutating func add(_ source: RunSource, of contents: RunContents) {
    var numbers: [UInt64: Int] = [:]
    var found: [Pair] = []
    var long: [Int32: LongContacts] = [:]
    for row in contents.contacts where row.source == source {
      let (first, second) = (row.contact.first, row.contact.second)
      let key = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
      let number = numbers[key] ?? found.count
      if number == found.count {
        numbers[key] = number
        found.append(Pair(source: source, first: first, second: second))
      }
      found[number].add(row)
      if row.contact.duration >= threshold {
        long[row.space, default: LongContacts()].contacts += 1
        long[row.space, default: LongContacts()].total += row.contact.duration
      }
    }
    guard !found.isEmpty else { return }
    found.sort { ($0.first, $0.second) < ($1.first, $1.second) }
    var totals = [Person](repeating: Person(), count: contents.people.count)
    for pair in found {
      for person in [Int(pair.first), Int(pair.second)] {
        totals[person].others += 1
        totals[person].longPairs += pair.total >= threshold ? 1 : 0
        totals[person].total += pair.total
        totals[person].longest = max(totals[person].longest, pair.longest)
      }
    }
    pairs += found
    people[source] = totals
    longContacts[source] = long
  }
}

extension RunContact {
  /// The number of the space that the contact counts for: the first person's, or the second person's if the first is in
  /// none.
  var space: Int32 { firstSpace == ObservedLocation.noSpace ? secondSpace : firstSpace }
}
