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

@Suite struct OccupancyTests {
  private static let walks = [
    // Crosses from one room to the other after 30 s, and rests there for a minute.
    Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: -5, y0: 0, x1: 5, y1: 0),
    Segment(device: 0, floor: 0, start: 60_000, end: 120_000, x0: 5, y0: 0, x1: 5, y1: 0),
    Segment(device: 1, floor: 0, start: 0, end: 90_000, x0: 1, y0: 0, x1: 1, y1: 0),
    Segment(device: 1, floor: 1_000, start: 90_000, end: 120_000, x0: 1, y0: 0, x1: 1, y1: 0),
  ]

  @Test func meansAreWeightedByTimeAndPeaksAreTheMostAtOnce() throws {
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

  @Test func whoLeavesAsAnotherComesIsNotThereWithThem() throws {
    let shifts = [
      Segment(device: 0, floor: 0, start: 0, end: 60_000, x0: 1, y0: 0, x1: 1, y1: 0),
      Segment(device: 1, floor: 0, start: 60_000, end: 90_000, x0: 1, y0: 0, x1: 1, y1: 0),
    ]
    let occupancy = Occupancy(of: shifts, in: TwoRooms())
    #expect(occupancy[.space(1)]?.peak == 1)
    #expect(occupancy.coPresences(in: .space(1)).isEmpty)
  }

  @Test func coPresenceAddsUpToThePairTime() throws {
    let segments = RandomTracks(devices: 9, span: 90_000, size: 9, floors: [0]).segments(seed: 6)
    let occupancy = Occupancy(of: segments, in: TwoRooms())
    let series = try #require(occupancy[.space(1)])
    let pairs = occupancy.coPresences(in: .space(1))
    #expect(pairs.reduce(0) { $0 + $1.milliseconds } == series.pairMilliseconds)
    #expect(series.means.reduce(0, +) * 60_000 - Double(series.deviceMilliseconds) < 1e-6)
    #expect(pairs == pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) })
  }

  @Test func indirectContactsFollowALeaving() {
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
