import CordonCore
import CordonGeometry
import Foundation
import Testing

@testable import CordonContacts

/// Contacts that can be computed by hand, and changes that must not affect them.
@Suite struct ContactFinderTests {
  static func walk(
    _ device: Int32, _ start: Int64, _ end: Int64, _ from: (Double, Double), _ to: (Double, Double), floor: Int32 = 0
  ) -> Segment {
    Segment(device: device, floor: floor, start: start, end: end, x0: from.0, y0: from.1, x1: to.0, y1: to.1)
  }

  static func rest(
    _ device: Int32, _ start: Int64, _ end: Int64, _ at: (Double, Double), floor: Int32 = 0
  ) -> Segment {
    walk(device, start, end, at, at, floor: floor)
  }

  @Test func passingDevicesAreInContactWithinTheDistance() throws {
    let contacts = ContactFinder(distance: 2).contacts(in: [
      Self.walk(1, 0, 10_000, (-5, 0), (5, 0)), Self.rest(0, 0, 10_000, (0, 1)),
    ])
    let contact = try #require(contacts.first)
    #expect(contacts.count == 1)
    // |x| = sqrt(3), at 1 m/s from x = -5.
    #expect(contact.start == 3_267_949)
    #expect(contact.end == 6_732_051)
    #expect(contact.minimumDistance == 1)
    #expect(contact.minimumDistanceTime == 5_000_000)
    #expect((contact.x, contact.y) == (0, 0.5))
    // From the first (0) to the second (1).
    #expect((contact.separationX, contact.separationY) == (0, -1))
  }

  @Test func aTouchIsAContactOfZeroLength() {
    let contacts = ContactFinder(distance: 2).contacts(in: [
      Self.walk(0, 0, 8_000, (-4, 2), (4, 2)), Self.rest(1, 0, 8_000, (0, 0)),
    ])
    #expect(contacts.count == 1)
    #expect(contacts.first?.start == 4_000_000)
    #expect(contacts.first?.duration == 0)
    #expect(
      ContactFinder(distance: 1.999_999).contacts(in: [
        Self.walk(0, 0, 8_000, (-4, 2), (4, 2)), Self.rest(1, 0, 8_000, (0, 0)),
      ]).isEmpty)
  }

  @Test func theDistanceItselfCountsAsContact() {
    let segments = [Self.rest(0, 0, 1_000, (0, 0)), Self.rest(1, 500, 2_000, (0, 3))]
    let contacts = ContactFinder(distance: 3).contacts(in: segments)
    #expect(contacts.map(\.start) == [500_000])
    #expect(contacts.map(\.end) == [1_000_000])
    #expect(ContactFinder(distance: 3.0.nextDown).contacts(in: segments).isEmpty)
  }

  @Test func parallelPathsKeepTheirDistance() {
    let contacts = ContactFinder(distance: 1).contacts(in: [
      Self.walk(0, 0, 60_000, (0, 0), (60, 0)), Self.walk(1, 0, 60_000, (0, 1), (60, 1)),
      Self.walk(2, 0, 60_000, (0, 2.5), (60, 2.5)),
    ])
    #expect(contacts.map(\.second) == [1])
    #expect(contacts.map(\.duration) == [60_000_000])
    #expect(contacts.map(\.minimumDistanceTime) == [0])
  }

  @Test func distanceZeroRequiresTheSamePlace() {
    let contacts = ContactFinder(distance: 0).contacts(in: [
      Self.walk(0, 0, 10_000, (-1, 0), (1, 0)), Self.walk(1, 0, 10_000, (0, -1), (0, 1)),
      Self.rest(2, 0, 10_000, (7, 7)), Self.rest(3, 2_000, 4_000, (7, 7)),
    ])
    #expect(contacts.map(\.first) == [2, 0])
    #expect(contacts.map(\.start) == [2_000_000, 5_000_000])
    #expect(contacts.map(\.end) == [4_000_000, 5_000_000])
  }

  @Test func devicesOnDifferentFloorsHaveNoContact() {
    let contacts = ContactFinder(distance: 2).contacts(in: [
      Self.rest(0, 0, 1_000, (0, 0), floor: 0), Self.rest(1, 0, 1_000, (0, 0), floor: 500),
      Self.rest(2, 0, 1_000, (0, 0), floor: 500),
    ])
    #expect(contacts.map { [$0.first, $0.second, $0.floor] } == [[1, 2, 500]])
  }

  @Test func unknownFloorsAreFlaggedOrLeftOut() {
    let segments = [
      Self.rest(0, 0, 4_000, (0, 0), floor: Segment.unknownFloor), Self.rest(1, 0, 2_000, (0, 0), floor: 0),
      Self.rest(1, 2_000, 4_000, (0, 0), floor: 1_000),
    ]
    let flagged = ContactFinder(distance: 2).contacts(in: segments)
    // One meeting, although the other person changed floors in the middle of it.
    #expect(flagged.map(\.floor) == [Segment.unknownFloor])
    #expect(flagged.map(\.duration) == [4_000_000])
    // Two people on unknown floors may have met as well, once.
    let both = segments.prefix(1) + [Self.rest(2, 1_000, 3_000, (1, 0), floor: Segment.unknownFloor)]
    #expect(ContactFinder(distance: 2).contacts(in: Array(both)).map(\.duration) == [2_000_000])
    for list in [segments, Array(both)] {
      #expect(ContactFinder(distance: 2, unknownFloors: .never).contacts(in: list).isEmpty)
    }
  }

  @Test func aDayCanEndDuringAContact() {
    let midnight: Int64 = 1_700_006_400_000
    let contacts = ContactFinder(distance: 2).contacts(in: [
      Self.rest(0, midnight - 3_600_000, midnight + 3_600_000, (0, 0)),
      Self.rest(1, midnight - 1_000, midnight, (1, 0)), Self.rest(1, midnight, midnight + 1_000, (1, 0)),
    ])
    #expect(contacts.map(\.duration) == [2_000_000])
  }

  @Test func aGapOfAMillisecondSplitsContacts() {
    let contacts = ContactFinder(distance: 2).contacts(in: [
      Self.rest(0, 0, 10_000, (0, 0)), Self.rest(1, 0, 4_000, (1, 0)), Self.rest(1, 4_001, 10_000, (1, 0)),
    ])
    #expect(contacts.map(\.start) == [0, 4_001_000])
  }

  @Test func unusableRowsAreCounted() {
    var list = ContactList()
    let rejected = ContactFinder().contacts(
      in: [
        Self.rest(0, 0, 1_000, (.nan, 0)), Self.rest(0, 0, 1_000, (0, .infinity)), Self.rest(-1, 0, 1_000, (0, 0)),
        Self.rest(0, 1_000, 0, (0, 0)), Self.rest(0, .min, .max, (0, 0)), Self.rest(0, 0, 1_000, (1e300, 0)),
        Self.rest(3, 0, 1_000, (0, 0)), Self.rest(3, 500, 2_000, (5, 5)), Self.rest(4, 7, 7, (0, 0)),
      ], into: &list)
    #expect(rejected.unusable == 6)
    #expect(rejected.overlapping == 1)
    // The instant of device 4 is in the rest of device 3.
    #expect(list.contacts.map { [$0.start, $0.end] } == [[7_000, 7_000]])
    #expect(ContactFinder().contacts(in: []).isEmpty)
    #expect(ContactFinder(distance: -1).contacts(in: [Self.rest(0, 0, 9, (0, 0)), Self.rest(1, 0, 9, (0, 0))]).isEmpty)
    #expect(
      ContactFinder(distance: .nan).contacts(in: [Self.rest(0, 0, 9, (0, 0)), Self.rest(1, 0, 9, (0, 0))]).isEmpty)
  }

  @Test func slabsBeginAtMultiplesBefore1970Too() {
    for (time, width, multiple) in [
      (0, 1_000, 0), (999, 1_000, 0), (1_000, 1_000, 1_000), (-1, 1_000, -1_000), (-1_000, 1_000, -1_000),
      (-1_001, 1_000, -2_000), (-7, 3, -9),
    ] as [(Int64, Int64, Int64)] {
      #expect(time.flooredMultiple(of: width) == multiple, "\(time) \(width)")
    }
  }

  /// Fixes of one moment: of one device the better one counts, of two devices both.
  @Test func equalTimestampsAreOneInstant() {
    let point = { (device: Int32, time: Int64, x: Double) in
      TrackPoint(device: device, floor: 0, time: time, x: x, y: 0)
    }
    let points = [
      point(0, 0, 0), point(0, 1_000, 50), point(0, 1_000, 0), point(0, 2_000, 0), point(1, 0, 1), point(1, 1_000, 1),
      point(1, 1_000, 1), point(1, 2_000, 1),
    ]
    let tracks = ObservedTracks(points, accuracies: [3, 9, 3, 3, 3, 3, 3, 3])
    let contacts = ContactFinder(distance: 2).contacts(in: tracks)
    #expect(contacts.map(\.start) == [0] && contacts.map(\.end) == [2_000_000])
    #expect(contacts.map(\.minimumDistance) == [1])
    #expect(tracks.report.duplicates == 2 && tracks.report.conflicting == 1)
  }

  @Test func aRestOfMonthsIsOneContact() {
    let months: Int64 = 86_400_000 * 100
    let contacts = ContactFinder(distance: 2).contacts(in: [
      Self.rest(0, 0, months, (0, 0)), Self.rest(1, 0, months, (1, 0)),
    ])
    #expect(contacts.map(\.duration) == [months * 1_000])
  }

  @Test(arguments: [1e-9, 1e-3, 1, 1e3, 1e6])
  func scaleChangesOnlyDistances(scale: Double) {
    let segments = RandomTracks(devices: 8, span: 60_000).segments(seed: 11)
    let base = ContactFinder(distance: 2).contacts(in: segments)
    let scaled = segments.map { s in
      var s = s
      (s.x0, s.y0, s.x1, s.y1) = (s.x0 * scale, s.y0 * scale, s.x1 * scale, s.y1 * scale)
      return s
    }
    // Relative motion below a nanometre counts as none, so the smallest scale keeps the pairs but not the instants.
    let found = ContactFinder(distance: 2 * scale).contacts(in: scaled)
    #expect(!found.isEmpty)
    if scale > 1e-6 {
      #expect(
        found.map { [Int64($0.first), Int64($0.second), $0.start, $0.end] }
          == base.map { [Int64($0.first), Int64($0.second), $0.start, $0.end] })
    }
    #expect(Set(found.map { [$0.first, $0.second] }).isSubset(of: Set(base.map { [$0.first, $0.second] })))
  }

  @Test func shiftsInTimeAndPlaceDoNotChangeContacts() {
    let segments = RandomTracks().segments(seed: 21)
    let base = ContactFinder(distance: 2).contacts(in: segments)
    #expect(!base.isEmpty)
    for shift in [-1_700_000_000_123, 7, 86_400_000 * 365] as [Int64] {
      let moved = segments.map { s in
        var s = s
        (s.start, s.end) = (s.start + shift, s.end + shift)
        return s
      }
      let expected = base.map { c in
        var c = c
        (c.start, c.end) = (c.start + shift * 1_000, c.end + shift * 1_000)
        c.minimumDistanceTime += shift * 1_000
        return c
      }
      #expect(ContactFinder(distance: 2).contacts(in: moved) == expected)
    }
    // Powers of two shift coordinates without rounding.
    let grid = segments.map { s in
      var s = s
      let round = { (v: Double) in (v * 1_024).rounded() / 1_024 }
      (s.x0, s.y0, s.x1, s.y1) = (round(s.x0), round(s.y0), round(s.x1), round(s.y1))
      return s
    }
    let here = ContactFinder(distance: 2).contacts(in: grid)
    // The further away, the fewer digits remain for a position between two fixes.
    for (east, north, slack) in [(4_096.0, -512.0, Int64(1)), (536_870_912, -536_870_912, 100)] {
      let there = ContactFinder(distance: 2).contacts(
        in: grid.map { s in
          var s = s
          (s.x0, s.x1, s.y0, s.y1) = (s.x0 + east, s.x1 + east, s.y0 + north, s.y1 + north)
          return s
        })
      #expect(here.count == there.count)
      for (a, b) in zip(here, there) {
        #expect(abs(a.start - b.start) <= slack && abs(a.end - b.end) <= slack)
        #expect(abs(a.x + east - b.x) < 1e-6 && abs(a.y + north - b.y) < 1e-6)
      }
    }
  }

  @Test func namesOfDevicesDoNotMatter() {
    let segments = RandomTracks().segments(seed: 31)
    let base = ContactFinder(distance: 2).contacts(in: segments)
    let turned = segments.map { s in
      var s = s
      s.device = 100 - s.device
      return s
    }
    let found = ContactFinder(distance: 2).contacts(in: turned).map { c in
      var c = c
      (c.first, c.second) = (100 - c.second, 100 - c.first)
      (c.separationX, c.separationY) = (-c.separationX, -c.separationY)
      return c
    }.sorted(by: Contact.isListedBefore)
    #expect(
      found.map { [$0.start, $0.end, Int64($0.first), Int64($0.second)] }
        == base.map { [$0.start, $0.end, Int64($0.first), Int64($0.second)] })
    #expect(zip(found, base).allSatisfy { abs($0.x - $1.x) < 1e-9 && $0.minimumDistance == $1.minimumDistance })
  }

  @Test func splittingAPathDoesNotChangeContacts() {
    let segments = RandomTracks(devices: 20, span: 60_000, size: 12).segments(seed: 41)
    let finder = ContactStreamTests.finder(hasWalls: true)
    let base = finder.contacts(in: segments)
    #expect(base.contains { $0.obstructed > 0 })
    var random = RandomStream(seed: 1, stream: 1)
    let split = segments.flatMap { s -> [Segment] in
      guard s.end - s.start > 2 else { return [s] }
      let middle = s.start + 1 + Int64(random.nextIndex(below: Int(s.end - s.start - 1)))
      let share = Double(middle - s.start) / Double(s.end - s.start)
      let (x, y) = (s.x0 + (s.x1 - s.x0) * share, s.y0 + (s.y1 - s.y0) * share)
      var (one, two) = (s, s)
      (one.end, one.x1, one.y1) = (middle, x, y)
      (two.start, two.x0, two.y0) = (middle, x, y)
      return [one, two]
    }
    let found = finder.contacts(in: split)
    #expect(found.count == base.count)
    for (a, b) in zip(found, base) {
      #expect((a.first, a.second, a.floor) == (b.first, b.second, b.floor))
      #expect(abs(a.start - b.start) <= 1 && abs(a.end - b.end) <= 1)
      #expect(abs(a.minimumDistance - b.minimumDistance) < 1e-9)
      #expect(abs(a.obstructed - b.obstructed) <= 2)
    }
  }

  /// Places in metres east and north of one on the ellipsoid, computed through the earth's centre without a frame.
  private static func place(_ east: Double, _ north: Double, of origin: Coordinate) -> Coordinate {
    let (e2, a) = (WGS84.eccentricitySquared, WGS84.semiMajorAxis)
    let (phi, lambda) = (origin.latitude * .pi / 180, origin.longitude * .pi / 180)
    let n = a / (1 - e2 * sin(phi) * sin(phi)).squareRoot()
    let x = n * cos(phi) * cos(lambda) - sin(lambda) * east - sin(phi) * cos(lambda) * north
    let y = n * cos(phi) * sin(lambda) + cos(lambda) * east - sin(phi) * sin(lambda) * north
    let z = n * (1 - e2) * sin(phi) + cos(phi) * north
    let p = (x * x + y * y).squareRoot()
    var latitude = phi
    for _ in 0..<8 {
      let m = a / (1 - e2 * sin(latitude) * sin(latitude)).squareRoot()
      latitude = atan2(z + e2 * m * sin(latitude), p)
    }
    return Coordinate(longitude: atan2(y, x) * 180 / .pi, latitude: latitude * 180 / .pi)
  }

  @Test(arguments: [
    (0.0, 0.0), (179.999_99, 10.0), (-180.0, -45.0), (20.0, 70.0), (20.0, 89.5), (20.0, -89.0), (0.0, -89.89),
  ])
  func contactsAreTheSameEverywhereOnEarth(place: (longitude: Double, latitude: Double)) {
    // Two people a metre and a half from one another, walking across the origin of the frame.
    let origin = Coordinate(longitude: place.longitude, latitude: place.latitude)
    let frame = LocalFrame(origin: origin)
    let points = (0..<20).flatMap { k -> [TrackPoint] in
      [0, 1].map { device in
        let (east, north) = (Double(k) - 10 + Double(device) * 1.5, 0.5 * Double(k) - 5)
        let there = frame.project(ContactFinderTests.place(east, north, of: origin))
        return TrackPoint(device: Int32(device), floor: 0, time: Int64(k) * 1_000, x: there.x, y: there.y)
      }
    }
    // The east scale is off by tan(latitude) times the difference in latitude, and not by more.
    let slack = 1e-5 + 1.5 * abs(tan(place.latitude * .pi / 180)) * 5.5 / 6.35e6
    let contacts = ContactFinder(distance: 1.6).contacts(in: ObservedTracks(points))
    #expect(contacts.map(\.duration) == [19_000_000])
    #expect(abs((contacts.first?.minimumDistance ?? 0) - 1.5) < slack)
    #expect(ContactFinder(distance: 1.5 - 2 * slack).contacts(in: ObservedTracks(points)).isEmpty)
  }

  @Test func theSinkReceivesContactsByEndAndCanStop() {
    let segments = RandomTracks().segments(seed: 51)
    for (slab, threads) in [(500, 1), (7_000, 3), (200_000, 2)] as [(Int64, Int)] {
      var finder = ContactFinder(distance: 2, threads: threads)
      finder.slab = .milliseconds(slab)
      var sink = OrderedSink()
      #expect((try? finder.contacts(in: segments, into: &sink)) != nil)
      #expect(sink.contacts == finder.contacts(in: segments).sorted(by: Contact.isClosedBefore))
      var small = OrderedSink(limit: 5)
      #expect(throws: OrderedSink.Full.self) { try finder.contacts(in: segments, into: &small) }
    }
  }

  @Test func windowsGiveTheContactsOfTheWhole() {
    let segments = RandomTracks(devices: 12, span: 200_000, isSynchronous: true).segments(seed: 61)
    let points = segments.map { TrackPoint(device: $0.device, floor: $0.floor, time: $0.start, x: $0.x0, y: $0.y0) }
      .sorted { ($0.device, $0.time) < ($1.device, $1.time) }
    let tracks = ObservedTracks(points)
    let expected = ContactFinder(distance: 2).contacts(in: tracks)
    #expect(!expected.isEmpty)
    for (width, threads) in [(3_000, 1), (17_000, 2), (500_000, 1)] as [(Int64, Int)] {
      let session = ContactSession(finder: ContactFinder(distance: 2, threads: threads))
      var list = ContactList()
      for start in stride(from: points[0].time - 5, to: points[0].time + 210_000, by: Int64.Stride(width)) {
        let end = start + width
        var window: [TrackPoint] = []
        for device in Set(points.map(\.device)).sorted() {
          let own = points.filter { $0.device == device }
          let low = max((own.firstIndex { $0.time > start } ?? own.count) - 1, 0)
          let high = min((own.firstIndex { $0.time >= end } ?? own.count) + 1, own.count)
          if low < high { window += own[low..<high] }
        }
        session.run(
          ObservedTracks(window), from: Instant(milliseconds: start), to: Instant(milliseconds: end), into: &list)
      }
      session.finish(into: &list)
      #expect(list.contacts.sorted(by: Contact.isListedBefore) == expected, "width \(width)")
    }
  }
}

private struct OrderedSink: ContactSink {
  struct Full: Error {}

  var contacts: [Contact] = []
  var limit = Int.max
  var needsOrder: Bool { true }

  init(limit: Int = .max) { self.limit = limit }

  mutating func receive(_ contacts: [Contact]) throws(Full) {
    self.contacts += contacts
    if self.contacts.count > limit { throw Full() }
  }
}
