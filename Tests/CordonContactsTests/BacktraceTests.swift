import CordonCore
import Testing

@testable import CordonContacts

@Suite struct BacktraceTests {
  private static let contacts = [
    ExposureTests.minutes(0, 1, 100, 120), ExposureTests.minutes(1, 2, 90, 95), ExposureTests.minutes(1, 3, 130, 150),
    ExposureTests.minutes(3, 4, 140, 145), ExposureTests.minutes(4, 5, 10, 20), ExposureTests.minutes(0, 5, 200, 201),
  ]

  private static func options(_ direction: Backtrace.Direction, _ generations: Int, minimum: TimeSpan = .zero)
    -> Backtrace.Options
  {
    var options = Backtrace.Options()
    options.direction = direction
    options.generations = generations
    options.minimumContact = minimum
    return options
  }

  private static func onset(_ minute: Int64) -> Instant { Instant(milliseconds: minute * 60_000) }

  @Test func forwardStepsAreOrderedInTime() {
    let trace = Backtrace(
      from: [.init(device: 0, onset: Self.onset(110))], contacts: Self.contacts, options: Self.options(.forward, 3))
    // 2 met 1 before 1 met 0; 3 met 1 after; 4 was still with 3 after that.
    #expect(trace.nodes.map { [Int($0.device), $0.generation] } == [[0, 0], [1, 1], [5, 1], [3, 2], [4, 3]])
    #expect(trace.nodes.map(\.sources) == [[], [0], [0], [1], [3]])
    #expect(trace.edges.map { [$0.source, $0.target] } == [[0, 1], [0, 5], [1, 3], [3, 4]])
    #expect(trace.nodes.first { $0.device == 4 }?.time == Int64(140 * 60_000_000))
  }

  @Test func backwardStepsPrecedeTheContactThatFoundThem() {
    let trace = Backtrace(
      from: [.init(device: 0, onset: Self.onset(130))], contacts: Self.contacts, options: Self.options(.backward, 3))
    // 0 met 1 until minute 120; before that 1 met 2. The meetings of 1 and 3, and of 0 and 5, came later.
    #expect(trace.nodes.map { [Int($0.device), $0.generation] } == [[0, 0], [1, 1], [2, 2]])
  }

  @Test func windowsAndMinimaLimitABacktrace() {
    var options = Self.options(.forward, 1)
    options.infectiousBefore = .zero
    options.infectiousAfter = .minutes(30)
    let trace = Backtrace(
      from: [.init(device: 0, onset: Self.onset(110))], contacts: Self.contacts, options: options)
    #expect(trace.edges.map(\.total) == [10 * 60_000_000])
    #expect(trace.nodes.map(\.device) == [0, 1])
    let long = Backtrace(
      from: [.init(device: 0, onset: Self.onset(110))], contacts: Self.contacts,
      options: Self.options(.forward, 1, minimum: .minutes(15)))
    // Reached after the full 15 minutes.
    #expect(long.nodes.map(\.device) == [0, 1])
    #expect(long.nodes.last?.time == Int64(115 * 60_000_000))
  }

  @Test func indirectContactsTransmitOneWay() {
    let indirect = [
      IndirectContact(
        source: 0, target: 7, place: .space(1), left: 6_600_000, start: 6_700_000, end: 6_900_000),
      IndirectContact(
        source: 8, target: 0, place: .space(1), left: 6_600_000, start: 6_700_000, end: 6_900_000),
    ]
    var options = Self.options(.forward, 1)
    options.followsIndirect = true
    let forward = Backtrace(
      from: [.init(device: 0, onset: Self.onset(110))], contacts: [], indirect: indirect, options: options)
    #expect(forward.edges.map(\.target) == [7])
    #expect(forward.edges.map(\.isIndirect) == [true])
    options.direction = .backward
    let backward = Backtrace(
      from: [.init(device: 0, onset: Self.onset(130))], contacts: [], indirect: indirect, options: options)
    #expect(backward.edges.map(\.target) == [8])
    options.followsIndirect = false
    #expect(
      Backtrace(
        from: [.init(device: 0, onset: Self.onset(110))], contacts: [], indirect: indirect,
        options: options
      ).edges.isEmpty)
  }

  /// Two people meet, are in one room one after the other, and meet again: their time together is one sum.
  @Test func indirectContactsDoNotSplitDirectOnes() {
    let contacts = [ExposureTests.minutes(0, 1, 100, 108), ExposureTests.minutes(0, 1, 130, 138)]
    let indirect = [7_000_000, 7_100_000, 8_400_000].map { start in
      IndirectContact(
        source: 0, target: 1, place: .space(1), left: start - 1_000, start: start, end: start + 60_000)
    }
    var options = Self.options(.forward, 2, minimum: .minutes(15))
    options.followsIndirect = true
    let trace = Backtrace(
      from: [.init(device: 0, onset: Self.onset(110))], contacts: contacts, indirect: indirect, options: options)
    #expect(trace.edges.map(\.isIndirect) == [false, true])
    #expect(trace.edges.map(\.contacts) == [2, 3])
    #expect(trace.edges.map(\.total) == [16 * 60_000_000, 3 * 60_000_000])
    #expect(trace.nodes.map(\.sources) == [[], [0]])
  }
}
