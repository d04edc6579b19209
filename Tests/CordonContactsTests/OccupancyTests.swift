import CordonContacts
import CordonCore
import Testing

/// Two rooms side by side: x < 0 and x >= 0, on floor 0.
private struct TwoRooms: SpaceLocator {
  var spaceCount: Int { 2 }

  func space(floor: Int32, x: Double, y: Double) -> Int? {
    floor == 0 && abs(x) <= 10 ? (x < 0 ? 0 : 1) : nil
  }
}

extension Occupancy.Series {
  fileprivate var means: [Double] { bins.map(\.mean) }
  fileprivate var peaks: [Int32] { bins.map(\.peak) }
}

@Suite struct OccupancyTests {
  private static let walks = [
    // Crosses from one room to the other after 30 s, and rests there for a minute.
    Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: -5, y0: 0, x1: 5, y1: 0),
    Segment(device: 0, floor: 0, start: 60_000, end: 120_000, x0: 5, y0: 0, x1: 5, y1: 0),
    Segment(device: 1, floor: 0, start: 0, end: 90_000, x0: 1, y0: 0, x1: 1, y1: 0),
    Segment(device: 1, floor: 1_000, start: 90_000, end: 120_000, x0: 1, y0: 0, x1: 1, y1: 0),
  ]

  @Test func meansAreWeightedByTimeAndPeaksAreMaxima() throws {
    let occupancy = Occupancy(of: Self.walks, in: TwoRooms())
    #expect(occupancy.series.map(\.place) == [.floor(0), .floor(1_000), .space(0), .space(1)])
    let left = try #require(occupancy[.space(0)])
    let right = try #require(occupancy[.space(1)])
    #expect(abs(left.means[0] - 0.5) < 2e-3)
    #expect(left.peaks == [1])
    #expect(abs(right.means[0] - 1.5) < 2e-3)
    #expect(abs(right.means[1] - 1.5) < 2e-3)
    #expect(right.peaks == [2, 2])
    #expect(right.peak == 2)
    #expect(abs(right.peakTime - 30_000) <= 300)
    let floor = try #require(occupancy[.floor(0)])
    #expect(floor.means == [2, 1.5])
    #expect(floor.peaks == [2, 2])
    #expect(floor.deviceMilliseconds == 210_000)
    #expect(floor.pairMilliseconds == 90_000)
    #expect(occupancy[.floor(5)] == nil)
  }

  /// Bins without devices are left out, so a row or a rest with a wrong year costs no memory.
  @Test func onlyBinsWithDevicesAreCounted() throws {
    let year = Int64(31_536_000_000)
    let stays = [
      Segment(device: 0, floor: 0, start: -250 * year, end: -250 * year + 1_500, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 0, floor: 0, start: 500, end: 2_500, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 1, floor: 0, start: 2_000, end: 200 * year, x0: 1, y0: 0, x1: 1, y1: 0),
    ]
    let series = try #require(Occupancy(of: stays, bin: .seconds(1))[.floor(0)])
    let first = Array(series.bins.prefix(6))
    let origin = -250 * year / 1_000
    #expect(first.map(\.number) == [origin, origin + 1, 0, 1, 2, 3])
    #expect(first.map(\.mean) == [1, 0.5, 0.5, 1, 1.5, 1])
    #expect(first.map(\.peak) == [1, 1, 1, 1, 2, 1])
    #expect(series.deviceMilliseconds == 1_500 + 2_000 + 200 * year - 2_000)
  }

  /// Bins of any width are those of a count that looks at every millisecond.
  @Test(arguments: [Int64(1), 7, 1_000, 60_000]) func binsAreThoseOfACountByMilliseconds(width: Int64) throws {
    let segments = RandomTracks(devices: 5, span: 4_000, size: 3, floors: [0]).segments(seed: 11)
    let series = try #require(Occupancy(of: segments, bin: .milliseconds(width))[.floor(0)])
    var sums: [Int64: Int64] = [:]
    var peaks: [Int64: Int32] = [:]
    let start = segments.map(\.start).min() ?? 0
    let end = segments.map(\.end).max() ?? 0
    for time in start..<end {
      let present = Set(segments.filter { $0.start <= time && time < $0.end }.map(\.device)).count
      guard present > 0 else { continue }
      let bin = time.flooredMultiple(of: width) / width
      sums[bin, default: 0] += Int64(present)
      peaks[bin] = max(peaks[bin] ?? 0, Int32(present))
    }
    #expect(series.bins.map(\.number) == sums.keys.sorted())
    #expect(series.bins.map(\.mean) == sums.keys.sorted().map { Double(sums[$0] ?? 0) / Double(width) })
    #expect(series.bins.map(\.peak) == sums.keys.sorted().map { peaks[$0] ?? 0 })
  }

  @Test func aShortAbsenceDoesNotEndAStay() throws {
    let stays = [
      Segment(device: 0, floor: 0, start: 0, end: 100_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 0, floor: 0, start: 150_000, end: 200_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 0, floor: 0, start: 300_000, end: 310_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 1, floor: 0, start: 0, end: 30_000, x0: 1, y0: 0, x1: 1, y1: 0),
    ]
    let dwell = try #require(Occupancy(of: stays, in: TwoRooms())[.space(1)]).dwell
    #expect(dwell.devices == 2)
    #expect(dwell.visits == 3)
    #expect(dwell.longest == 200)
    #expect(dwell.median == 30)
    #expect(dwell.mean == 80)
  }

  @Test func leavingAndArrivingAtOneInstantDoNotOverlap() throws {
    let shifts = [
      Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 1, floor: 0, start: 60_000, end: 90_000, x0: 1, y0: 0, x1: 1, y1: 0),
    ]
    let occupancy = Occupancy(of: shifts, in: TwoRooms())
    #expect(occupancy[.space(1)]?.peak == 1)
    #expect(occupancy.coPresences(in: .space(1)).isEmpty)
  }

  @Test func coPresenceSumsToThePairTime() throws {
    let segments = RandomTracks(devices: 9, span: 90_000, size: 9, floors: [0]).segments(seed: 6)
    let occupancy = Occupancy(of: segments, in: TwoRooms())
    let series = try #require(occupancy[.space(1)])
    let pairs = occupancy.coPresences(in: .space(1))
    #expect(pairs.reduce(0) { $0 + $1.milliseconds } == series.pairMilliseconds)
    #expect(series.means.reduce(0, +) * 60_000 - Double(series.deviceMilliseconds) < 1e-6)
    #expect(pairs == pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) })
  }

  @Test func indirectContactsBeginAfterADeparture() {
    let stays = [
      Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 1, floor: 0, start: 50_000, end: 90_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 2, floor: 0, start: 110_000, end: 300_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 3, floor: 0, start: 500_000, end: 600_000, x0: 1, y0: 0, x1: 1, y1: 0),
    ]
    let found = Occupancy(of: stays, in: TwoRooms()).indirectContacts(within: .seconds(60))
    #expect(
      found.map { [Int64($0.source), Int64($0.target), $0.start, $0.end] }
        == [[0, 1, 60_000, 90_000], [0, 2, 110_000, 120_000], [1, 2, 110_000, 150_000]])
  }

  /// A person who returns within the delay is present together with the other from then on, and no longer before.
  @Test func anAbsenceThatEndsWithinTheDelayEndsTheIndirectContact() {
    let stays = [
      Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 0, floor: 0, start: 100_000, end: 150_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 1, floor: 0, start: 50_000, end: 400_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 2, floor: 0, start: 101_000, end: 140_000, x0: 1, y0: 0, x1: 1, y1: 0),
    ]
    let found = Occupancy(of: stays, in: TwoRooms()).indirectContacts(within: .seconds(60))
    #expect(
      found.map { [Int64($0.source), Int64($0.target), $0.left, $0.start, $0.end] }
        == [
          [0, 1, 60_000, 60_000, 100_000], [2, 0, 140_000, 140_000, 150_000], [2, 1, 140_000, 140_000, 200_000],
          [0, 1, 150_000, 150_000, 210_000],
        ])
  }
}
