package import CordonCore

/// A contact with the probabilities that follow from the accuracies of its fixes.
public struct ProbableContact: Hashable, Sendable {
  /// The contact as measured.
  public var contact: Contact
  /// The integral of P(true distance <= distance) over the parts of the contact with known accuracies, seconds; `nil` if
  /// there are none. An expectation stays correct if errors are correlated in time.
  public var expectedSeconds: Double?
  /// The time of the contact without a known accuracy, seconds: the segments that begin or end in a fix without one.
  public var unknownSeconds = 0.0
  /// The probability that the two were truly within the distance for 15 minutes of this contact; `nil` if no accuracy is
  /// known. Parts without an accuracy count as apart, so the value is a lower bound.
  public var probabilityOf15Minutes: Double?
  /// Whether the fixes suffice to assert the contact. Both floors must be known, and the mean probability over the contact
  /// must reach the requested confidence. Parts without an accuracy prove nothing. Two fixes of 5 m never prove 2 m.
  public var isAssertable: Bool

  /// The share of the contact, 0 ... 1, without a known accuracy. The share of a touch is 0 or 1.
  public var unknownShare: Double {
    guard contact.duration > 0 else { return expectedSeconds == nil ? 1 : 0 }
    return min(unknownSeconds * 1e6 / Double(contact.duration), 1)
  }

  /// Creates a contact without any known probability.
  static func unknown(_ contact: Contact) -> ProbableContact {
    ProbableContact(
      contact: contact, expectedSeconds: nil, unknownSeconds: Double(contact.duration) / 1e6,
      probabilityOf15Minutes: nil, isAssertable: false)
  }
}

/// An assessor of contacts by the accuracies of their fixes.
///
/// Find the contacts with ``ContactFinder`` first, at the contact distance or a larger one, then assess each of them.
/// An assessor keeps a table of probabilities; give each thread its own.
package struct ContactAssessor {
  /// The contact distance, metres.
  package let distance: Double
  /// The minimum mean probability for asserting a contact. A probability of one half or less proves nothing.
  package var confidence = 0.8
  /// The time in which the correlation of position errors falls to 1/e.
  package var correlationTime = TimeSpan.seconds(20)
  /// The number of simulations of a contact for ``ProbableContact/probabilityOf15Minutes``.
  package var replicas = 400
  /// The seed of those simulations.
  package var seed: UInt64 = 1

  private var box: TrackBox
  /// The latest start of each device's walk. Contacts arrive roughly in order of time.
  private var hints: [Int]
  private var rows: [Int32: Int] = [:]
  private var denseRows: [Int32] = []
  private var table = ProbabilityTable()

  /// Creates an assessor for contacts found in `tracks`.
  package init(_ tracks: ObservedTracks, distance: Double) {
    self.distance = distance
    box = TrackBox(tracks)
    hints = []
    move(to: tracks)
  }

  /// Switches to other tracks of the same devices, such as those of the next window of time. Contacts assessed later must
  /// lie in these tracks.
  package mutating func move(to tracks: ObservedTracks) {
    box = TrackBox(tracks)
    hints = Array(tracks.offsets.dropLast())
    rows = [:]
    for row in 0..<(tracks.offsets.count - 1) {
      rows[tracks.points[tracks.offsets[row]].device] = row
    }
    denseRows = []
    let widest = Int(rows.keys.max() ?? 0)
    if widest < rows.count * 4 + 1_000 {
      denseRows = [Int32](repeating: -1, count: widest + 1)
      for (device, row) in rows { denseRows[Int(device)] = Int32(row) }
    }
  }

  /// Returns the assessment of a contact.
  package mutating func assess(_ contact: Contact) -> ProbableContact {
    guard let first = row(of: contact.first), let second = row(of: contact.second) else { return .unknown(contact) }
    let start = contact.start.flooredMultiple(of: 1_000) / 1_000
    var one = TrackWalk(box, row: first, from: start, hint: hints[first])
    var two = TrackWalk(box, row: second, from: start, hint: hints[second])
    (hints[first], hints[second]) = (one.k, two.k)
    let (from, to) = (Double(contact.start) / 1_000, Double(contact.end) / 1_000)
    guard to > from else { return assessTouch(contact, probability(&one, &two, at: from)) }
    let (milliseconds, unknown) = expectedMilliseconds(&one, &two, from: from, to: to)
    guard unknown < to - from else { return .unknown(contact) }
    let mean = milliseconds / (to - from)
    let threshold = 900_000.0
    var share: Double? = 0
    if to - from >= threshold {
      share = probabilityOf(
        threshold, first: first, second: second, from: from, to: to, seed: contact)
    }
    return ProbableContact(
      contact: contact, expectedSeconds: milliseconds / 1_000, unknownSeconds: unknown / 1_000,
      probabilityOf15Minutes: share, isAssertable: mean >= confidence && contact.floor != Segment.unknownFloor)
  }

  private func assessTouch(_ contact: Contact, _ probability: Double) -> ProbableContact {
    guard !probability.isNaN else { return .unknown(contact) }
    return ProbableContact(
      contact: contact, expectedSeconds: 0, probabilityOf15Minutes: 0,
      isAssertable: probability >= confidence && contact.floor != Segment.unknownFloor)
  }

  private func row(of device: Int32) -> Int? {
    if denseRows.isEmpty { return rows[device] }
    guard device >= 0, Int(device) < denseRows.count, denseRows[Int(device)] >= 0 else {
      return nil
    }
    return Int(denseRows[Int(device)])
  }

  private mutating func probability(_ one: inout TrackWalk, _ two: inout TrackWalk, at time: Double)
    -> Double
  {
    one.advance(to: time)
    two.advance(to: time)
    let (a, b) = (one.position(at: time), two.position(at: time))
    return value(b.x - a.x, b.y - a.y, variance: one.instantVariance(at: time) + two.instantVariance(at: time))
  }

  @inline(__always)
  private mutating func value(_ dx: Double, _ dy: Double, variance: Double) -> Double {
    let measured = (dx * dx + dy * dy).squareRoot()
    guard variance > 0 else { return variance.isNaN ? .nan : (measured <= distance ? 1 : 0) }
    let s = variance.squareRoot()
    return table.within(ratio: distance / s, noncentrality: measured / s)
  }

  /// Simpson's rule over each stretch in which both move straight, in steps of at most a metre of relative motion; and the
  /// length of the stretches without an accuracy.
  private mutating func expectedMilliseconds(
    _ one: inout TrackWalk, _ two: inout TrackWalk, from: Double, to: Double
  ) -> (expected: Double, unknown: Double) {
    var time = from
    var (total, unknown) = (0.0, 0.0)
    while time < to {
      one.advance(to: time)
      two.advance(to: time)
      let next = min(to, min(one.nextChange(after: time), two.nextChange(after: time)))
      let variance = one.variance(at: time) + two.variance(at: time)
      guard !variance.isNaN else {
        unknown += next - time
        time = next
        continue
      }
      let (a0, b0) = (one.position(at: time), two.position(at: time))
      let (a1, b1) = (one.position(at: next), two.position(at: next))
      let (x0, y0, x1, y1) = (b0.x - a0.x, b0.y - a0.y, b1.x - a1.x, b1.y - a1.y)
      let way = ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)).squareRoot()
      let steps = Int(min(max(way.rounded(.up), 1), 1_000))
      var left = value(x0, y0, variance: variance)
      for k in 0..<steps {
        let (u, v) = ((Double(k) + 0.5) / Double(steps), Double(k + 1) / Double(steps))
        let middle = value(x0 + (x1 - x0) * u, y0 + (y1 - y0) * u, variance: variance)
        let right = value(x0 + (x1 - x0) * v, y0 + (y1 - y0) * v, variance: variance)
        total += (left + 4 * middle + right) / 6 * (next - time) / Double(steps)
        left = right
      }
      time = next
    }
    return (total, unknown)
  }

  /// Returns the share of simulations in which the time within the distance reaches `threshold`. In a simulation, the error
  /// of the separation follows an AR(1) process with the correlation time, sampled at every quarter of it.
  private func probabilityOf(
    _ threshold: Double, first: Int, second: Int, from: Double, to: Double, seed contact: Contact
  ) -> Double {
    let step = max(Double(correlationTime.milliseconds) / 4, 1_000)
    let rho = PortableMath.exp(-step / max(Double(correlationTime.milliseconds), 1))
    let fresh = (1 - rho * rho).squareRoot()
    let begin = contact.start.flooredMultiple(of: 1_000) / 1_000
    var one = TrackWalk(box, row: first, from: begin, hint: hints[first])
    var two = TrackWalk(box, row: second, from: begin, hint: hints[second])
    var looks: [(dx: Double, dy: Double, s: Double, length: Double)] = []
    var time = from
    while time < to {
      let length = min(step, to - time)
      let middle = time + length / 2
      one.advance(to: middle)
      two.advance(to: middle)
      let (a, b) = (one.position(at: middle), two.position(at: middle))
      let variance = one.variance(at: middle) + two.variance(at: middle)
      looks.append((b.x - a.x, b.y - a.y, variance.squareRoot(), length))
      time += step
    }
    let limit = distance * distance
    var reached = 0
    for replica in 0..<max(replicas, 1) {
      var random = RandomStream(
        seed: seed ^ UInt64(bitPattern: contact.start),
        replica: UInt32(truncatingIfNeeded: replica),
        stream: 0x7072_6f62,
        entity: PairIntervals.key(contact.first, contact.second))
      var (ex, ey) = (random.nextNormal(), random.nextNormal())
      var total = 0.0
      for look in looks {
        let (x, y) = (look.dx + ex * look.s, look.dy + ey * look.s)
        if x * x + y * y <= limit { total += look.length }
        ex = rho * ex + fresh * random.nextNormal()
        ey = rho * ey + fresh * random.nextNormal()
      }
      if total >= threshold { reached += 1 }
    }
    return Double(reached) / Double(max(replicas, 1))
  }
}
