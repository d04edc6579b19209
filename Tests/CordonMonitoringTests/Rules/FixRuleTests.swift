import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Testing

@Suite("Rules for fixes")
struct FixRuleTests {
  /// A phone that tracks and keeps every fix.
  static func tracking(_ change: (inout MonitorConfiguration) -> Void = { _ in }) throws -> TestPhone {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    configuration.acceptsMocked = false
    configuration.sinks = [Sink(.cordon, needsActivation: false)]
    change(&configuration)
    var venue = SmallVenue()
    venue.rooms = [
      .init("wc", x: 20...30, y: 10...20, recording: .unrecorded),
      .init("clinic", x: -30...(-20), y: 10...20, recording: .floorOnly),
      .init("hall", x: -30...30, y: -20...0),
    ]
    let phone = try TestPhone(in: venue, configuration: configuration)
    phone.isOnline = false
    phone.consentAndStart()
    phone.send(.region(.entered))
    phone.wait(.seconds(10))
    return phone
  }

  static func rows(_ phone: TestPhone) throws -> [Location] {
    phone.isOnline = true
    phone.send(.flush)
    phone.wait(.minutes(20))
    return phone.sink.locations
  }

  @Test func fixesAreRefusedWithAReason() throws {
    let phone = try Self.tracking()
    let inside = phone.venue.place(east: 1, north: 1)
    func fix(_ change: (inout Fix) -> Void) -> Verdict {
      phone.wait(.seconds(20))
      var fix = Fix(coordinate: inside, accuracy: 5, floor: FloorOrdinal(0), time: phone.now.wall)
      change(&fix)
      return phone.send(.fix(fix))
    }
    #expect(fix { _ in } == .stored)
    #expect(fix { $0.accuracy = -1 } == .refused(.invalid))
    #expect(fix { $0.accuracy = .nan } == .refused(.invalid))
    #expect(fix { $0.coordinate.latitude = 91 } == .refused(.invalid))
    #expect(fix { $0.coordinate.longitude = .infinity } == .refused(.invalid))
    #expect(fix { $0.time = Instant(milliseconds: .min) } == .refused(.invalid))
    #expect(fix { $0.time = $0.time + .seconds(6) } == .refused(.future))
    #expect(fix { $0.time = $0.time - .hours(1) } == .refused(.stale))
    #expect(fix { $0.isMocked = true } == .refused(.mocked))
    #expect(fix { $0.accuracy = nil } == .refused(.unknownAccuracy))
    #expect(fix { $0.accuracy = 51 } == .refused(.tooInaccurate))
    #expect(fix { $0.accuracy = 50 } == .stored)
    #expect(fix { $0.coordinate = phone.venue.place(east: 31, north: 0) } == .refused(.outside))
    #expect(fix { $0.coordinate = phone.venue.place(east: 25, north: 15) } == .refused(.unrecorded))
    let total = RefusalReason.allCases.reduce(0) { $0 + phone.accounting[$1] }
    #expect(phone.accounting.refused == total && total == 12)
    #expect(try Self.rows(phone).count == 2)
  }

  @Test func aDuplicateIsRefused() throws {
    let phone = try Self.tracking()
    let fix = Fix(coordinate: phone.venue.place(east: 1, north: 1), accuracy: 5, time: phone.now.wall)
    #expect(phone.send(.fix(fix)) == .stored)
    #expect(phone.send(.fix(fix)) == .refused(.duplicate))
    // Also long afterwards, when only the store remembers.
    for step in 0..<20 { phone.stay(at: (east: Double(step), north: 2), for: .seconds(10)) }
    let before = phone.accounting
    phone.send(.fix(fix))
    #expect(phone.accounting.stored == before.stored)
    #expect(phone.accounting[.duplicate] == before[.duplicate] + 1)
  }

  @Test func implausibleSpeedsAreRefusedUntilSeveralFixesAgree() throws {
    let phone = try Self.tracking { $0.maximumSpeed = 2 }
    phone.accuracy = 1
    #expect(phone.fix(at: (east: -28, north: -10)) == .stored)
    phone.wait(.seconds(1))
    #expect(phone.fix(at: (east: 28, north: -10)) == .refused(.tooFast))
    phone.wait(.seconds(1))
    #expect(phone.fix(at: (east: 28, north: -9)) == .refused(.tooFast))
    phone.wait(.seconds(1))
    #expect(phone.fix(at: (east: 28, north: -8)) == .stored)
  }

  @Test func aLocationHasTheTimeOfItsFix() throws {
    let phone = try Self.tracking()
    let time = phone.now.wall - .milliseconds(3_210)
    phone.send(.fix(Fix(coordinate: phone.venue.place(east: 1, north: 1), accuracy: 5, time: time)))
    #expect(try Self.rows(phone).map(\.time) == [time])
  }

  @Test func anUnknownFloorStaysUnknown() throws {
    let phone = try Self.tracking()
    phone.fix(at: (east: 1, north: 1), floor: FloorOrdinal(2))
    phone.wait(.seconds(5))
    phone.fix(at: (east: 2, north: 1), floor: nil)
    phone.wait(.seconds(5))
    phone.fix(at: (east: 3, north: 1), floor: FloorOrdinal(2))
    #expect(try Self.rows(phone).map(\.floor) == [FloorOrdinal(2), nil, FloorOrdinal(2)])
  }

  @Test func aNewFloorIsAcceptedTheSecondTime() throws {
    let phone = try Self.tracking()
    for floor in [0, 0, 1, 0, 1, 1, 1] {
      phone.wait(.seconds(5))
      phone.fix(at: (east: 1, north: 1), floor: FloorOrdinal(floor))
    }
    #expect(try Self.rows(phone).map { $0.floor?.thousandths } == [0, 0, 0, 0, 0, 1_000, 1_000])
  }

  @Test func aFloorProviderFillsMissingFloors() throws {
    let phone = try Self.tracking()
    phone.send(.floor(FloorOrdinal(3)))
    phone.fix(at: (east: 1, north: 1), floor: nil)
    #expect(try Self.rows(phone).map(\.floor) == [FloorOrdinal(3)])
  }

  @Test func everyFixOfADeliveryIsJudged() throws {
    let phone = try Self.tracking()
    let times = (0..<5).map { phone.now.wall - .seconds(Int64($0)) }
    let fixes = times.enumerated().map { index, time in
      Fix(coordinate: phone.venue.place(east: Double(index), north: 1), accuracy: 5, time: time)
    }
    var output = MonitorOutput()
    phone.runtime.step(phone.now, fixes: fixes, into: &output)
    #expect(phone.accounting.stored == 5)
    #expect(try Self.rows(phone).map(\.time) == times.reversed())
  }

  @Test func twoFixesInOneSecondAreBothKept() throws {
    let phone = try Self.tracking()
    phone.fix(at: (east: 1, north: 1))
    phone.wait(.milliseconds(300))
    phone.fix(at: (east: 1, north: 2))
    #expect(try Self.rows(phone).count == 2)
  }

  @Test func theFirstFixCounts() throws {
    let phone = try Self.tracking { $0.minimumDistance = 5 }
    #expect(phone.fix(at: (east: 1, north: 1)) == .stored)
    phone.wait(.seconds(5))
    #expect(phone.fix(at: (east: 2, north: 1)) == .thinned)
    phone.wait(.seconds(5))
    #expect(phone.fix(at: (east: 7, north: 1)) == .stored)
  }

  @Test func equalFixesHaveEqualIdentities() throws {
    let phone = try Self.tracking()
    phone.fix(at: (east: 1.2345678, north: 1))
    let row = try #require(try Self.rows(phone).first)
    #expect(
      row.id
        == FixID(
          device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: row.floor))
  }

  @Test func theIdentityUsesTheReportedFloor() throws {
    // The accepted floor may differ when the same fix is delivered again; it must not become two rows.
    let phone = try Self.tracking { $0.thinning = .zero }
    phone.fix(at: (east: 1, north: 1), floor: FloorOrdinal(0))
    phone.wait(.seconds(5))
    phone.fix(at: (east: 2, north: 1), floor: FloorOrdinal(1))
    let row = try #require(try Self.rows(phone).last)
    #expect(row.floor == FloorOrdinal(0))
    #expect(
      row.id
        == FixID(
          device: row.device, time: row.time, coordinate: row.coordinate, accuracy: row.accuracy, floor: FloorOrdinal(1)
        ))
  }

  @Test func theMostAccurateFixOfAnIntervalIsKept() throws {
    let phone = try Self.tracking { $0.thinning = .seconds(5) }
    for (index, accuracy) in [12.0, 8, 3, 9, 20, 11, 30].enumerated() {
      phone.accuracy = accuracy
      phone.fix(at: (east: Double(index), north: 1))
      phone.wait(.seconds(1))
    }
    phone.wait(.seconds(20))
    #expect(try Self.rows(phone).map(\.accuracy) == [3, 11])
    #expect(phone.accounting.thinned == 5)
    #expect(phone.accounting.held == 0)
  }

  @Test func aFloorOnlySpaceKeepsOnlyTheFloor() throws {
    let phone = try Self.tracking()
    #expect(phone.fix(at: (east: -25, north: 15), floor: FloorOrdinal(1)) == .stored)
    let row = try #require(try Self.rows(phone).first)
    #expect(row.coordinate == phone.venue.geofence.center)
    #expect(row.accuracy == phone.venue.geofence.radius)
    #expect(row.space == nil)
    #expect(row.floor == FloorOrdinal(1))
  }

  @Test func aClockChangeDoesNotMakeFixesStale() throws {
    let phone = try Self.tracking()
    var output = MonitorOutput()
    let late = ClockReading(wall: phone.now.wall - .hours(2), monotonic: phone.now.monotonic + .seconds(5))
    let place = phone.venue.place(east: 1, north: 1)
    let verdict = phone.runtime.step(
      late, .fix(Fix(coordinate: place, accuracy: 5, time: late.wall)), into: &output)
    #expect(verdict == .stored)
  }

  @Test func aDeferredDeliveryOfThisSessionIsKept() throws {
    let phone = try Self.tracking()
    let entered = phone.now.wall
    // The system withheld all fixes for forty minutes, and delivers them at once, out of order.
    phone.sleep(.minutes(40))
    var fixes = (1...60).map { index in
      Fix(
        coordinate: phone.venue.place(east: Double(index % 20), north: 1), accuracy: 5, floor: nil,
        time: entered + .seconds(Int64(index) * 30))
    }
    fixes.swapAt(3, 40)
    fixes.swapAt(7, 22)
    fixes.append(
      Fix(coordinate: phone.venue.place(east: 1, north: 1), accuracy: 5, floor: nil, time: entered - .minutes(1)))
    var output = MonitorOutput()
    phone.runtime.step(phone.now, fixes: fixes, into: &output)
    #expect(phone.accounting.stored == 60)
    #expect(phone.accounting[.stale] == 1, "older than the session")
    let times = try Self.rows(phone).map(\.time)
    #expect(times == (1...60).map { entered + .seconds(Int64($0) * 30) })
  }

  @Test func aLateFixIsPlacedByItsTime() throws {
    let phone = try Self.tracking()
    let start = phone.now.wall
    phone.sleep(.minutes(1))
    for seconds in [40, 10, 30, 20] as [Int64] {
      let place = phone.venue.place(east: Double(seconds) / 10, north: 1)
      let verdict = phone.send(.fix(Fix(coordinate: place, accuracy: 5, floor: nil, time: start + .seconds(seconds))))
      #expect(verdict == .stored)
    }
    #expect(try Self.rows(phone).map(\.time) == [10, 20, 30, 40].map { start + .seconds($0) })
  }

  @Test func developmentBuildsKeepAndFlagMockedFixes() throws {
    #expect(MonitorConfiguration().acceptsMocked == MonitorConfiguration.isDevelopmentBuild)
    #if DEBUG
      #expect(MonitorConfiguration.isDevelopmentBuild)
    #endif
    let phone = try Self.tracking { $0.acceptsMocked = true }
    let place = phone.venue.place(east: 1, north: 1)
    let verdict = phone.send(.fix(Fix(coordinate: place, accuracy: 5, time: phone.now.wall, isMocked: true)))
    #expect(verdict == .stored)
    phone.wait(.seconds(5))
    phone.fix(at: (east: 2, north: 1))
    #expect(phone.accounting.mocked == 1)
    #expect(try Self.rows(phone).map(\.isMocked) == [true, false])
  }

  @Test func onlyTheSavingPolicyThinsByDistance() {
    for preset in Preset.allCases {
      #expect((MonitorConfiguration(preset: preset).minimumDistance > 0) == (preset == .saver))
    }
    #expect(MonitorConfiguration(preset: .saver).minimumDistance == 5)
    #expect(Preset.allCases.map(\.rawValue) == ["high-resolution", "balanced", "saver"])
    #expect(MonitorConfiguration(preset: .balanced) == MonitorConfiguration())
  }

  @Test func theDefaultsMatchTheDocumentation() {
    let configuration = MonitorConfiguration()
    #expect(configuration.maximumAccuracy == 50)
    #expect(configuration.thinning == .seconds(5))
    #expect(configuration.stillAfter == .minutes(5))
    #expect(configuration.heartbeat == .seconds(60))
    #expect(configuration.flushAfter == .minutes(5))
    #expect(configuration.flushRows == 500)
    #expect(configuration.batchRows == 500)
    #expect(configuration.deviceType == "phone")
  }

  @Test func theSavingPolicyKeepsWalkersAndThinsStandingDevices() throws {
    let phone = try Self.tracking {
      $0 = .saver
      $0.sinks = [Sink(.cordon, needsActivation: false)]
      $0.acceptsMocked = false
    }
    for step in 0..<20 {
      phone.fix(at: (east: Double(step % 2), north: -5))
      phone.wait(.seconds(15))
    }
    let standing = phone.accounting.stored + phone.accounting.held
    #expect(standing <= 2)
    for step in 1..<5 {
      phone.fix(at: (east: Double(step) * 7, north: -5))
      phone.wait(.seconds(15))
    }
    #expect(phone.accounting.stored + phone.accounting.held >= standing + 3)
  }

  @Test func aFlickeringFloorIsIgnored() throws {
    let phone = try Self.tracking { $0.floorFixes = 3 }
    for index in 0..<40 {
      phone.wait(.seconds(5))
      // Every other fix reports another floor.
      phone.fix(at: (east: 1 + Double(index % 5), north: 1), floor: FloorOrdinal(index % 2))
    }
    #expect(try Self.rows(phone).allSatisfy { $0.floor == FloorOrdinal(0) })
  }

  @Test func aFloorProviderWithoutAnAnswerMakesTheFloorUnknown() throws {
    let phone = try Self.tracking()
    phone.send(.floor(FloorOrdinal(3)))
    phone.fix(at: (east: 1, north: 1), floor: nil)
    phone.wait(.seconds(5))
    phone.fix(at: (east: 2, north: 1), floor: FloorOrdinal(3))
    phone.send(.floor(nil))
    phone.wait(.seconds(5))
    phone.fix(at: (east: 3, north: 1), floor: nil)
    #expect(try Self.rows(phone).map(\.floor) == [FloorOrdinal(3), FloorOrdinal(3), nil])
  }

  @Test func twoSeatedPeopleLeaveOverlappingStaysOfHalfAnHour() throws {
    let sink = InProcessSink()
    let start = Instant.testStart
    for (name, east) in [("anna", 1.0), ("ben", 2.2)] {
      let phone = try TestPhone(sink: sink, device: DeviceID(name), start: start)
      phone.consentAndStart()
      phone.stay(at: (east: east, north: 4), for: .minutes(30))
      phone.leave()
    }
    for name in ["anna", "ben"] {
      let rows = sink.locations.filter { $0.device.rawValue == name }
      // The gaps between one row's end and the next row's beginning never reach the 30 s that split a contact.
      for (row, next) in zip(rows, rows.dropFirst()) {
        #expect(next.time - (row.stillUntil ?? row.time) <= .seconds(30))
      }
      let first = try #require(rows.first)
      let last = try #require(rows.last)
      #expect((last.stillUntil ?? last.time) - first.time >= .minutes(29))
    }
  }
}
