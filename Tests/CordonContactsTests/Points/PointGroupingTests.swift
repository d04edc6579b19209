import CordonCore
import Testing

@testable import CordonContacts

/// Fixes by time are put by device without comparing them, as sorting them would.
@Suite struct PointGroupingTests {
  @Test(arguments: 0..<60) func tracksAreThoseOfSortedFixes(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 17)
    let (hasDuplicates, isByTime, isUsable) = (seed % 3 == 0, seed % 5 != 0, seed % 7 != 0)
    let step: Int32 = seed % 11 == 0 ? 1_000_003 : 1
    var rows = (0..<Int.random(in: 0...300, using: &random)).map { k in
      let point = TrackPoint(
        device: Int32.random(in: 0..<15, using: &random) * step, floor: Int32(k % 2),
        time: Int64(hasDuplicates ? k / 40 : k) * 1_000, x: Double(k), y: isUsable || k % 50 != 3 ? 0 : .nan)
      return (point: point, accuracy: Float(k % 9) - 1, rest: k % 4 == 0 ? point.time + 2_500 : .min)
    }
    if !isByTime { rows.shuffle(using: &random) }
    let tracks = ObservedTracks(
      rows.map(\.point), accuracies: rows.map(\.accuracy), stillUntil: rows.map(\.rest), maximumGap: .seconds(20))
    let sorted = rows.sorted { ($0.point.device, $0.point.time) < ($1.point.device, $1.point.time) }
    let expected = ObservedTracks(
      sorted.map(\.point), accuracies: sorted.map(\.accuracy), stillUntil: sorted.map(\.rest), maximumGap: .seconds(20))
    #expect(tracks.points == expected.points && tracks.offsets == expected.offsets)
    #expect(tracks.accuracies == expected.accuracies && tracks.stillUntil == expected.stillUntil)
    #expect(tracks.spanOfTime == expected.spanOfTime)
    var report = tracks.report
    report.wasSorted = expected.report.wasSorted
    #expect(report == expected.report)
  }

  @Test func fixesByTimeAreGrouped() {
    let points = (0..<40).map { TrackPoint(device: Int32($0 % 4), floor: 0, time: Int64($0), x: Double($0), y: 0) }
    var tracks = ObservedTracks([])
    tracks.points = points
    let isGrouped = tracks.groupByDevice()
    #expect(isGrouped)
    #expect(tracks.points.map(\.device) == (0..<4).flatMap { [Int32](repeating: $0, count: 10) })
    tracks.points = points + [points[3]]
    let hasDuplicate = !tracks.groupByDevice()
    #expect(hasDuplicate && tracks.points == points + [points[3]])
    #expect(!ObservedTracks(points).report.wasSorted)
  }
}
