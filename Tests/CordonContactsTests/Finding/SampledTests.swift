import CordonContacts
import CordonCore
import Testing

/// Counting ticks, as a plain double loop does it.
@Suite struct SampledTests {
  @Test(arguments: 0..<5)
  func sampledContactsAgreeWithADoubleLoop(seed: Int) {
    let segments = RandomTracks(devices: 15, span: 60_000, isSynchronous: true).segments(seed: UInt64(seed))
    let points = segments.map { TrackPoint(device: $0.device, floor: $0.floor, time: $0.start, x: $0.x0, y: $0.y0) }
    let tracks = ObservedTracks(points)
    let result = SampledFinder(bucket: .seconds(1), rule: .within(metres: 2)).contacts(in: tracks)
    var ticks = 0
    var pairs = Set<[Int32]>()
    for (k, p) in tracks.points.enumerated() {
      for q in tracks.points[..<k] where p.time == q.time && p.floor == q.floor && p.device != q.device {
        let (dx, dy) = (p.x - q.x, p.y - q.y)
        guard dx * dx + dy * dy <= 4 else { continue }
        ticks += 1
        pairs.insert([min(p.device, q.device), max(p.device, q.device)])
      }
    }
    #expect(result.pairTicks == ticks)
    #expect(Set(result.contacts.map { [$0.first, $0.second] }) == pairs)
    #expect(result.contacts.reduce(0) { $0 + $1.duration } == Int64(ticks) * 1_000_000)
  }

  /// A device of unknown floor may have been beside any other.
  @Test(arguments: [ContactFinder.UnknownFloors.flagged, .never])
  func unknownFloorsAreComparedWithAll(policy: ContactFinder.UnknownFloors) {
    let floors: [Int32] = [0, 1_000, Segment.unknownFloor, Segment.unknownFloor]
    let points = floors.enumerated().map { k, floor in
      TrackPoint(device: Int32(k), floor: floor, time: 500, x: Double(k) * 0.5, y: 0)
    }
    let finder = SampledFinder(bucket: .seconds(1), rule: .within(metres: 2), unknownFloors: policy)
    let result = finder.contacts(in: ObservedTracks(points))
    let expected: [[Int32]] = policy == .flagged ? [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] : []
    #expect(result.contacts.map { [$0.first, $0.second] } == expected)
    #expect(result.contacts.allSatisfy { $0.floor == Segment.unknownFloor })
    #expect(result.pairTicks == expected.count)
  }

  @Test func publishedMinutesMakeAContactOfFifteenMetres() {
    let points = [
      TrackPoint(device: 0, floor: 0, time: 60_500, x: 0, y: 0),
      TrackPoint(device: 0, floor: 0, time: 80_000, x: 99, y: 0),
      TrackPoint(device: 1, floor: 0, time: 119_000, x: 14.9, y: 0),
      TrackPoint(device: 2, floor: 0, time: 61_000, x: 0, y: 0),
      TrackPoint(device: 0, floor: 0, time: 121_000, x: 0, y: 0),
      TrackPoint(device: 1, floor: 0, time: 122_000, x: 3, y: 0),
    ]
    // The third device's fix is too coarse; the first fix of the minute counts, not a later one.
    let tracks = ObservedTracks(points, accuracies: [5, 1, 5, 5.1, 5, 5])
    let result = SampledFinder.publishedMinutes.contacts(in: tracks)
    #expect(result.contacts.map { [$0.first, $0.second] } == [[0, 1]])
    #expect(result.contacts.map(\.start) == [60_000_000])
    #expect(result.contacts.map(\.end) == [180_000_000])
    #expect(result.contacts.map(\.minimumDistance) == [3])
    #expect(result.pairTicks == 2)
  }
}
