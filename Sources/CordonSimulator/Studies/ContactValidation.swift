import CordonContacts
import CordonCore
import CordonCrowd
package import CordonVenues

/// A validation of simulated contact durations against contacts that were measured with badges.
///
/// The measured data sets are a museum on three days and a conference, with worn badges of 1 to 1.5 m reach. They
/// record slots of 20 s: a pair is in contact in a slot or not, and a contact is a run of slots. Simulated contacts are
/// counted in the same way: a slot counts if the two people are within 1.5 m of each other on one floor at its middle.
///
/// Badges detect each other only face to face, because bodies shield them. An audience faces the stage, so times in
/// which both people sit in an auditorium are left out. Otherwise all neighbours in a row would be in contact for a
/// whole talk, which badges do not record.
package enum ContactValidation {
  /// Length of a slot, in milliseconds.
  static let slot: Int64 = 20_000
  /// Distance at which two people are in contact, in metres.
  package static let distance = 1.5

  /// The durations of contacts, in slots of 20 s.
  package struct Durations: Hashable, Sendable {
    /// The number of contacts, by duration in slots.
    package var counts: [Int: Int] = [:]
    /// The total number of contacts.
    package var contacts: Int { counts.values.reduce(0, +) }
    /// The mean duration in seconds; NaN without contacts.
    package var mean: Double {
      guard contacts > 0 else { return .nan }
      return counts.keys.sorted().reduce(0.0) { $0 + Double($1 * (counts[$1] ?? 0)) } * 20 / Double(contacts)
    }
    /// The share of contacts of a single slot; NaN without contacts.
    package var shortest: Double { contacts > 0 ? Double(counts[1] ?? 0) / Double(contacts) : .nan }
    /// The share of contacts longer than a minute; NaN without contacts.
    package var overMinute: Double {
      contacts > 0 ? Double(counts.filter { $0.key > 3 }.values.reduce(0, +)) / Double(contacts) : .nan
    }
    /// The exponent of the power law that best fits contacts of 40 s or more; NaN if it cannot be estimated.
    ///
    /// It is a discrete maximum-likelihood estimate in the approximation of Clauset, Shalizi and Newman (2009),
    /// equation 3.7.
    package var exponent: Double {
      var sum = 0.0
      var count = 0
      for length in counts.keys.sorted() where length >= 2 {
        let number = counts[length] ?? 0
        sum += Double(number) * PortableMath.log(Double(length) / 1.5)
        count += number
      }
      return count > 0 && sum > 0 ? 1 + Double(count) / sum : .nan
    }

    /// Adds the contacts of another run.
    package mutating func add(_ other: Durations) { counts.merge(other.counts, uniquingKeysWith: +) }
  }

  /// Returns the durations of a run's true contacts, in slots.
  static func durations(of contacts: [Contact]) -> Durations {
    var slots: [UInt64: [Int64]] = [:]
    for contact in contacts {
      // Only slots whose middle lies in the contact count.
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

  /// Returns contacts without the times in which both people sat in an audience.
  /// - Parameter audience: by person, the ordered times in an audience, in milliseconds since 1970.
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

  /// The durations of contacts that were measured with badges.
  private struct Badges {
    var name: String
    var contacts: Int
    /// Shares of contacts of one slot, of contacts over a minute, and of contacts over five minutes.
    var ofOneSlot: Double
    var overMinute: Double
    var overFiveMinutes: Double
    /// The longest contact, in seconds.
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

  /// Returns a plot of the share of contacts that last at least a given time, with the measured curves as references.
  /// - Parameters:
  ///   - name: the name of the scenario.
  ///   - durations: the simulated durations.
  package static func plot(_ name: String, _ durations: Durations) -> ReferencePlot {
    var left = durations.contacts
    var points: [MovementStudy.Point] = []
    for length in durations.counts.keys.sorted() {
      points.append(MovementStudy.Point(x: Double(length) * 20, y: Double(left) / Double(max(durations.contacts, 1))))
      left -= durations.counts[length] ?? 0
    }
    return ReferencePlot(
      name, "\(name): lengths of contacts", xName: "seconds", yName: "share of contacts of at least this length",
      isLogarithmic: true, model: points, references: measured.map(\.curve))
  }

  /// Runs a scenario with several seeds, and checks the durations of its contacts against the measured bands.
  /// - Parameters:
  ///   - name: the name of the scenario, such as `museum`.
  ///   - venue: the venue.
  ///   - scenario: the scenario.
  ///   - seeds: the number of runs.
  ///   - threads: the number of concurrent runs; the result does not depend on it.
  ///   - progress: receives the number of finished runs, in fractions of a run, and the number of all runs.
  ///   - isInterrupted: whether to stop early, called on any thread; unfinished runs are left out.
  /// - Returns: the cases, the durations of all runs together, and the number of finished runs. There are no cases if
  ///   no run finished.
  /// - Throws: ``ScenarioError``, ``SimulationError`` or `VenueError`.
  package static func cases(
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
