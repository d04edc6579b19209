import CordonCore
import CordonExchange
import CordonGeometry
import CordonPresence
import CordonTestSupport
import Testing

@Suite("Length of paths")
struct PathTests {
  private func length(_ fixes: [PresenceFix]) -> Double {
    var path = PathFilter()
    for fix in fixes { path.add(fix) }
    path.pause()
    return path.length
  }

  @Test func aRestingDeviceHasNoLength() {
    var noise = Noise(seed: 1)
    // An hour of errors that wander, as those of receivers do.
    var (east, north) = (0.0, 0.0)
    let fixes = (0..<3_600).map { second -> PresenceFix in
      east = east * 0.967 + noise.normal() * 3 * 0.254
      north = north * 0.967 + noise.normal() * 3 * 0.254
      return Near.fix(Double(second), east: east, north: north, accuracy: 4.5)
    }
    let raw = zip(fixes, fixes.dropFirst()).reduce(0.0) { sum, pair in
      let (a, b) = (Near.frame.project(pair.0.coordinate), Near.frame.project(pair.1.coordinate))
      return sum + ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }
    #expect(raw > 2_000)
    let measured = length(fixes)
    #expect(measured < 0.05 * raw, "\(measured) of \(raw)")
  }

  @Test func aStraightLineHasItsLength() {
    for step in [1.0, 5, 20] {
      let fixes = (0..<500).map {
        Near.fix(Double($0) * step, east: Double($0) * step * 1.4, north: Double($0) * step * 0.5)
      }
      let expected = 499 * step * (1.4 * 1.4 + 0.5 * 0.5).squareRoot()
      let error = abs(length(fixes) - expected)
      #expect(error < 0.02 * expected + 4, "\(step): \(error) of \(expected)")
    }
  }

  @Test func aWayBackCountsAgain() {
    let there = (0..<300).map { Near.fix(Double($0), east: Double($0) * 1.4) }
    let back = (0..<300).map { Near.fix(300 + Double($0), east: (299 - Double($0)) * 1.4) }
    let both = length(there + back)
    #expect(abs(both - 837.2) < 12, "\(both)")
  }

  @Test func aNoisyWalkIsWithinThreePerCent() {
    // Square blocks of 120 m, at 1.4 m/s and with errors of 3 m that wander, for half an hour.
    var errors: [Double] = []
    for seed in 1...8 as ClosedRange<UInt64> {
      var noise = Noise(seed: seed)
      var (east, north) = (noise.normal() * 3, noise.normal() * 3)
      let fixes = (0..<1_800).map { second -> PresenceFix in
        east = east * 0.967 + noise.normal() * 3 * 0.254
        north = north * 0.967 + noise.normal() * 3 * 0.254
        let way = Double(second) * 1.4
        let leg = Int(way / 120)
        let along = way - Double(leg) * 120
        // A staircase of blocks: east, north, east ...
        let (x, y) = (Double((leg + 1) / 2) * 120, Double(leg / 2) * 120)
        return Near.fix(
          Double(second), east: x + (leg.isMultiple(of: 2) ? along : 0) + east,
          north: y + (leg.isMultiple(of: 2) ? 0 : along) + north, accuracy: 4.5)
      }
      errors.append(length(fixes) / (1_799 * 1.4) - 1)
    }
    #expect(errors.allSatisfy { abs($0) < 0.05 }, "\(errors)")
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(abs(mean) < 0.03, "\(errors)")
  }

  /// A receiver that is 40 m off now and then, and does not say so.
  @Test func singleOutliersAddNoLength() {
    var noise = Noise(seed: 5)
    let fixes = (0..<180).map { step -> PresenceFix in
      let isOff = step % 17 == 8
      return Near.fix(
        Double(step) * 10, east: Double(step) * 14 + (isOff ? noise.normal() * 10 : 0), north: isOff ? 40 : 0,
        accuracy: 5)
    }
    let measured = length(fixes)
    #expect(abs(measured / (179 * 14) - 1) < 0.03, "\(measured)")
  }

  /// The same shape at the speed of the way itself is a way, not an outlier.
  @Test func cornersAndWaysBackAreKept() {
    // A car at 15 m/s, a fix every 10 s: blocks of 300 m, and a dead end of 300 m.
    let places = [(0, 0), (150, 0), (300, 0), (300, 150), (300, 300), (300, 150), (300, 0), (450, 0), (600, 0)]
    let fixes = places.enumerated().map {
      Near.fix(Double($0.offset) * 10, east: Double($0.element.0), north: Double($0.element.1), accuracy: 5)
    }
    let measured = length(fixes)
    #expect(abs(measured - 1_200) < 20, "\(measured)")
  }

  @Test func thePlaneFollowsALongJourney() {
    // 100 km to the north and 100 km to the east, one fix a minute; the plane at the start would be off by more.
    let fixes = (0...200).map { step -> PresenceFix in
      let latitude = 48.0 + Double(min(step, 100)) * 0.01
      let longitude = 11.0 + Double(max(step - 100, 0)) * 0.01
      return PresenceFix(
        time: Near.start + Int64(step) * 60_000, coordinate: Coordinate(longitude: longitude, latitude: latitude),
        accuracy: 5)
    }
    // A degree of a meridian at 48.5° has 111.2 km, one of the parallel of 49° 73.17 km.
    let measured = length(fixes)
    #expect(abs(measured - 184_370) < 370, "\(measured)")
  }

  private static let receivers: [(name: String, errors: ReceiverErrors)] = [
    ("perfect", .none), ("gps-near", .near), ("gps", .roof),
  ]

  private static func length(of way: [PresenceFix]) -> Double {
    zip(way, way.dropFirst()).reduce(0.0) { $0 + Near.distance($1.0.coordinate, $1.1.coordinate) }
  }

  /// The mean error of four receivers of a kind on ways, as a share of their length.
  private func error(_ errors: ReceiverErrors, on ways: [[PresenceFix]], every step: Double) -> Double {
    let known = ways.reduce(0.0) { $0 + Self.length(of: $1) }
    let shares = (1...4 as ClosedRange<UInt64>).map { seed in
      ways.enumerated().reduce(0.0) { sum, way in
        sum + length(errors.fixes(of: way.element, every: step, seed: seed &* 100 &+ UInt64(way.offset)))
      } / known - 1
    }
    return shares.reduce(0, +) / Double(shares.count)
  }

  /// The part of the length that a polyline of samples has, as an error: what no filter of these samples can know.
  private func sampled(_ ways: [[PresenceFix]], every step: Double) -> Double {
    let known = ways.reduce(0.0) { $0 + Self.length(of: $1) }
    return ways.reduce(0.0) { $0 + Self.length(of: ReceiverErrors.none.fixes(of: $1, every: step, seed: 1)) } / known
      - 1
  }

  private func percent(_ share: Double) -> Double { (share * 1_000).rounded() / 10 }

  /// Recorded hikes as known ways: their points with the errors of the simulator's receivers. Prints the figures of
  /// `docs/records/presence.md`.
  @Test(
    .enabled(if: Places.hasRealTraces, "recorded traces are not beside the checkout"),
    arguments: ["cerknicko-jezero", "korita-zbevnica"])
  func recordedTracksKeepTheirLength(_ name: String) throws {
    let ways = try FixReading.ways(name)
    let known = ways.reduce(0.0) { $0 + Self.length(of: $1) }
    #expect(known > 4_000)
    for (receiver, errors) in Self.receivers {
      for step in [1.0, 10, 60] {
        let (mean, floor) = (error(errors, on: ways, every: step), sampled(ways, every: step))
        print("\(name) (\(Int(known)) m), \(receiver), \(Int(step)) s: \(percent(mean)) %, samples \(percent(floor)) %")
        if step < 60 { #expect(abs(mean) < 0.035, "\(receiver), \(step) s") }
        #expect(abs(mean - floor) < 0.03, "\(receiver), \(step) s")
      }
    }
  }

  /// The constants were chosen on the first, third ... half hour of these hikes. Here are the others.
  @Test(.enabled(if: Places.hasRealTraces, "recorded traces are not beside the checkout"))
  func theConstantsHoldOnTracksTheyWereNotChosenOn() throws {
    let pieces = try ["cerknicko-jezero", "korita-zbevnica"].flatMap { try FixReading.pieces($0) }
    let others = pieces.indices.filter { !$0.isMultiple(of: 2) }.map { pieces[$0] }
    let known = others.reduce(0.0) { $0 + Self.length(of: $1) }
    #expect(known > 3_000 && others.count >= 4)
    for (receiver, errors) in Self.receivers {
      for step in [1.0, 10, 30, 60] {
        let (mean, floor) = (error(errors, on: others, every: step), sampled(others, every: step))
        print(
          "held out (\(Int(known)) m), \(receiver), \(Int(step)) s: \(percent(mean)) %, samples \(percent(floor)) %")
        if step <= 10 { #expect(abs(mean) < 0.03, "\(receiver), \(step) s") }
      }
    }
  }

  @Test(
    .enabled(if: Places.hasRealTraces, "recorded traces are not beside the checkout"),
    arguments: ["quectel-l76k-nmea", "telit-he910", "ublox-neo-m9n-nmea"])
  func aRecordedRestHasAlmostNoLength(_ name: String) throws {
    var fixes: [PresenceFix] = []
    _ = try FixReading.nmea(name) { fixes.append($0) }
    #expect(fixes.count > 30)
    // Receivers on a table, for some minutes.
    #expect(length(fixes) < 15, "\(length(fixes))")
  }
}
