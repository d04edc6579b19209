import CordonContacts
import CordonCore
public import CordonVenues

/// Holds the durations of simulated contacts against those of contacts that were measured with badges.
///
/// The measured sets (a museum on three days and a conference, worn badges of 1 to 1.5 m reach) are recorded in slots of
/// 20 s: a pair is in contact in a slot or not, and contacts are runs of slots. So are these: a slot counts when the two
/// are within 1.5 m at its middle, on one floor.
///
/// The badges see each other only face to face: bodies shield them. An audience faces the stage, so the time that both
/// sit in an auditorium is left out; with it, everybody in a row would be in contact for the whole of a talk, which no
/// badge has seen.
public enum ContactValidation {
  /// Length of a slot, milliseconds.
  static let slot: Int64 = 20_000
  /// Metres.
  public static let distance = 1.5

  /// What was measured of a run's contacts.
  public struct Durations: Hashable, Sendable {
    /// Contacts of 1, 2, 3 ... slots: how many.
    public var counts: [Int: Int] = [:]
    /// Contacts in all.
    public var contacts: Int { counts.values.reduce(0, +) }
    /// Seconds, over all contacts.
    public var mean: Double {
      guard contacts > 0 else { return .nan }
      return counts.keys.sorted().reduce(0.0) { $0 + Double($1 * (counts[$1] ?? 0)) } * 20 / Double(contacts)
    }
    /// The share of contacts of a single slot.
    public var shortest: Double { contacts > 0 ? Double(counts[1] ?? 0) / Double(contacts) : .nan }
    /// The share of contacts longer than a minute.
    public var overMinute: Double {
      contacts > 0 ? Double(counts.filter { $0.key > 3 }.values.reduce(0, +)) / Double(contacts) : .nan
    }
    /// The exponent of the power law that fits contacts of 40 s or more best (discrete maximum likelihood in the
    /// approximation of Clauset, Shalizi and Newman 2009, eq. 3.7).
    public var exponent: Double {
      var sum = 0.0
      var count = 0
      for length in counts.keys.sorted() where length >= 2 {
        let number = counts[length] ?? 0
        sum += Double(number) * PortableMath.log(Double(length) / 1.5)
        count += number
      }
      return count > 0 && sum > 0 ? 1 + Double(count) / sum : .nan
    }

    /// Adds another run's.
    mutating func add(_ other: Durations) { counts.merge(other.counts, uniquingKeysWith: +) }
  }

  /// Durations of a run's true contacts in slots.
  static func durations(of contacts: [Contact]) -> Durations {
    var slots: [UInt64: [Int64]] = [:]
    for contact in contacts {
      // Slots whose middle lies in the contact.
      let half = slot / 2
      let first = (contact.start / 1_000 - half + slot - 1).flooredQuotient(by: slot)
      let last = (contact.end / 1_000 - half).flooredQuotient(by: slot)
      guard first <= last else { continue }
      let key = UInt64(UInt32(bitPattern: contact.first)) << 32 | UInt64(UInt32(bitPattern: contact.second))
      slots[key, default: []] += first...last
    }
    var durations = Durations()
    for list in slots.values {
      let sorted = Set(list).sorted()
      var length = 1
      for (before, after) in zip(sorted, sorted.dropFirst()) {
        if after == before + 1 {
          length += 1
        } else {
          durations.counts[length, default: 0] += 1
          length = 1
        }
      }
      if !sorted.isEmpty { durations.counts[length, default: 0] += 1 }
    }
    return durations
  }

  /// Contacts without the times in which both sat in an audience.
  /// - Parameter audience: by person, when they did, in order; milliseconds since 1970.
  static func faceToFace(_ contacts: [Contact], audience: [[Range<Int64>]]) -> [Contact] {
    func times(_ person: Int32) -> [Range<Int64>] {
      audience.indices.contains(Int(person)) ? audience[Int(person)] : []
    }
    return contacts.flatMap { contact -> [Contact] in
      let mine = times(contact.first).filter { $0.overlaps(contact.start / 1_000..<contact.end / 1_000 + 1) }
      guard !mine.isEmpty else { return [contact] }
      let seated = mine.flatMap { one in times(contact.second).map { $0.clamped(to: one) } }.filter { !$0.isEmpty }
      var pieces: [Contact] = []
      var rest = contact
      for span in seated.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        let (from, to) = (span.lowerBound * 1_000, span.upperBound * 1_000)
        guard from < rest.end, to > rest.start else { continue }
        if from > rest.start {
          var piece = rest
          piece.end = from
          pieces.append(piece)
        }
        rest.start = min(to, rest.end)
      }
      if rest.start < rest.end { pieces.append(rest) }
      return pieces
    }
  }

  /// What was measured of contacts: shares of those at least so long.
  private struct Badges {
    var name: String
    var contacts: Int
    /// Shares of contacts of one slot, of those over a minute and of those over five.
    var ofOneSlot: Double
    var overMinute: Double
    var overFiveMinutes: Double
    /// The longest, seconds.
    var longest: Double

    var curve: MovementStudy.Series {
      MovementStudy.Series(
        name: name,
        points: [
          MovementStudy.Point(x: 20, y: 1), MovementStudy.Point(x: 40, y: 1 - ofOneSlot),
          MovementStudy.Point(x: 80, y: overMinute), MovementStudy.Point(x: 320, y: overFiveMinutes),
          MovementStudy.Point(x: longest, y: 1 / Double(contacts)),
        ])
    }
  }

  private static let measured = [
    Badges(
      name: "museum, 3 May", contacts: 6_238, ofOneSlot: 0.61, overMinute: 0.132, overFiveMinutes: 0.0075, longest: 760),
    Badges(
      name: "museum, 14 July", contacts: 6_427, ofOneSlot: 0.62, overMinute: 0.106, overFiveMinutes: 0.0031,
      longest: 1_260),
    Badges(
      name: "museum, 15 July", contacts: 10_494, ofOneSlot: 0.68, overMinute: 0.069, overFiveMinutes: 0.0008,
      longest: 580),
    Badges(
      name: "conference", contacts: 53_164, ofOneSlot: 0.64, overMinute: 0.145, overFiveMinutes: 0.0302, longest: 5_860),
  ]

  /// The share of contacts that are at least so long, over those of the measured sets.
  public static func plot(_ name: String, _ durations: Durations) -> ReferencePlot {
    var left = durations.contacts
    var points: [MovementStudy.Point] = []
    for length in durations.counts.keys.sorted() {
      points.append(MovementStudy.Point(x: Double(length) * 20, y: Double(left) / Double(max(durations.contacts, 1))))
      left -= durations.counts[length] ?? 0
    }
    return ReferencePlot(
      name, "\(name): how long contacts are", xName: "seconds", yName: "share of contacts at least so long",
      isLogarithmic: true, model: points, references: measured.map(\.curve))
  }

  /// Runs a scenario with several seeds and holds the durations of its contacts against the bands.
  /// - Parameters:
  ///   - name: what it is called, such as `museum`.
  ///   - seeds: how many.
  ///   - threads: how many at a time; the result does not depend on it.
  ///   - venue: the venue.
  ///   - isInterrupted: whether to stop early, asked on any thread; runs that are not done are left out.
  ///   - scenario: the scenario.
  ///   - progress: is told how many runs are done, in parts of a run.
  /// - Returns: the cases, none when not a single run was made; all durations; how many runs they are of.
  public static func cases(
    _ name: String, venue: Venue, scenario: Scenario, seeds: Int, threads: Int,
    progress: @escaping @Sendable (_ done: Double, _ total: Int) -> Void = { _, _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> (cases: [ValidationCase], durations: Durations, runs: Int) {
    let study = try TruthStudy(venue: venue, scenario: scenario)
    var all = Durations()
    var next = 0
    let done = SummedProgress { progress($0, seeds) }
    while next < seeds, !isInterrupted() {
      let start = next
      let round = min(max(threads, 1), seeds - start)
      let made = parallelMap(count: round, threads: threads) { job in
        Result {
          let contacts = try study.faceToFace(
            replica: UInt32(start + job), distance: distance,
            watch: RunControl(isInterrupted: isInterrupted) { done.note($0, of: start + job) })
          return contacts.map(durations)
        }
      }
      let finished = try made.compactMap { try $0.get() }
      for durations in finished { all.add(durations) }
      next += finished.count
      if finished.count < made.count { break }
    }
    guard next > 0 else { return ([], all, 0) }
    let source = "SocioPatterns: museum on three days, conference of 138"
    func one(_ figure: String, _ value: Double, _ reference: Double, _ band: ClosedRange<Double>) -> ValidationCase {
      ValidationCase(
        subject: name, figure: figure, value: value.isFinite ? (value * 1e4).rounded() / 1e4 : -1, reference: reference,
        band: band, source: source)
    }
    return (
      [
        one("share of contacts of one slot of 20 s", all.shortest, 0.64, 0.55...0.70),
        one("exponent of contacts of 40 s or more", all.exponent, 2.4, 2.0...2.8),
        one("mean length of a contact, s", all.mean, 43, 30...60),
      ], all, next
    )
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
