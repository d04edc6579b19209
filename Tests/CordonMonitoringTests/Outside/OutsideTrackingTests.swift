import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("Outside of venues: positioning, filters, pauses and visits")
struct OutsideTrackingTests {
  static func phone(_ change: (inout TrackingPolicy) -> Void = { _ in }, knowsVenue: Bool = true) throws -> OutsidePhone
  {
    var policy = TrackingPolicy.everything
    change(&policy)
    let phone = try OutsidePhone(OutsidePhone.configuration(policy), knowsVenue: knowsVenue)
    phone.start()
    return phone
  }

  @Test func eachModeHasItsCommands() throws {
    for mode in TrackingPolicy.Mode.allCases {
      let phone = try Self.phone { $0.mode = mode }
      #expect(phone.commands.contains(.startPositioning) == [.standard, .both].contains(mode), "\(mode)")
      #expect(phone.commands.contains(.watchSignificantChanges) == [.significant, .both].contains(mode), "\(mode)")
      #expect(phone.commands.contains(.watchVisits) == (mode == .visits), "\(mode)")
      let isRecorded = phone.fix(5_000) == .stored
      #expect(isRecorded == [.standard, .significant, .both].contains(mode), "\(mode)")
      phone.send(.stop)
      if mode != .off { #expect(phone.notices.contains(.tracking(.stopped)), "\(mode)") }
    }
  }

  @Test func noVenueIsNeeded() throws {
    let phone = try Self.phone(knowsVenue: false)
    #expect(phone.fix(5_000) == .stored)
    #expect(phone.runtime.monitor.isTrackingOutside)
  }

  @Test func inAVenueItsOwnRulesMeasure() throws {
    let phone = try Self.phone { $0.desiredAccuracy = .kilometre }
    var policy = TrackingPolicy.everything
    policy.desiredAccuracy = .kilometre
    #expect(phone.commands.contains(.usePolicy(policy)))
    phone.send(.region(.entered))
    #expect(phone.commands.last { if case .usePolicy = $0 { true } else { false } } == .usePolicy(nil))
    phone.send(.region(.exited))
    #expect(phone.commands.suffix(2) == [.usePolicy(policy), .startPositioning])
  }

  /// With the policy of a pause the system would also pause in the venue.
  @Test func aPauseOutsideLeavesNoPolicyForTheVenue() throws {
    let phone = try Self.phone { $0.pausesAutomatically = true }
    phone.fix(5_000)
    phone.send(.pausedPositioning)
    phone.send(.region(.entered))
    #expect(phone.commands.last { if case .usePolicy = $0 { true } else { false } } == .usePolicy(nil))
    #expect(phone.commands.contains(.startPositioning))
  }

  /// Overland returns before it looks at a trip when its mode is off.
  @Test func aTripTurnsPositioningOnWhateverTheMode() throws {
    let phone = try Self.phone { $0.mode = .off }
    #expect(phone.fix(5_000) == .refused(.outside))
    phone.send(.trip(isInProgress: true))
    #expect(phone.commands.contains(.startPositioning))
    #expect(phone.fix(5_000) == .stored)
    phone.send(.trip(isInProgress: false))
    #expect(phone.commands.last == .stopPositioning)
    #expect(phone.fix(5_100) == .refused(.outside))
  }

  @Test func aTripNeedsTheConsentToo() throws {
    let phone = try OutsidePhone()
    phone.start([.record, .share])
    phone.send(.trip(isInProgress: true))
    #expect(phone.fix(5_000) == .refused(.outside))
    #expect(!phone.commands.contains(.startPositioning))
  }

  /// Overland compares with the last point of the previous delivery, and with none the first fix is dropped.
  @Test func filtersCompareWithTheLastKeptFix() throws {
    let phone = try Self.phone {
      $0.minimumDistance = 50
      $0.minimumInterval = .seconds(10)
    }
    #expect(phone.fix(5_000) == .stored, "the first fix has nothing to be compared with")
    #expect(phone.fix(5_100, after: .seconds(5)) == .thinned)
    #expect(phone.fix(5_100, after: .seconds(5)) == .stored)
    #expect(phone.fix(5_120, after: .seconds(20)) == .thinned)
    #expect(phone.fix(5_160, after: .seconds(20)) == .stored)
    let a = phone.accounting
    #expect(a.fixes == a.refused + a.thinned + a.held + a.stored)
  }

  @Test func theRatesFollowMotionAndTheForeground() throws {
    let phone = try Self.phone {
      $0.minimumInterval = .seconds(2)
      $0.stillInterval = .minutes(8)
      $0.backgroundInterval = .minutes(10)
    }
    #expect(phone.fix(5_000) == .stored)
    phone.send(.motion(.still))
    #expect(phone.fix(5_010, after: .minutes(7)) == .thinned)
    phone.send(.motion(.moving))
    #expect(phone.fix(5_020) == .stored)
    phone.send(.foreground(false))
    #expect(phone.fix(5_030, after: .minutes(9)) == .thinned)
    #expect(phone.fix(5_030, after: .minutes(1)) == .stored)
    phone.send(.foreground(true))
    #expect(phone.fix(5_040) == .stored)
  }

  @Test func inaccurateJumpingAndUnknownFixesAreRefused() throws {
    let phone = try Self.phone()
    #expect(phone.fix(5_000, accuracy: 250) == .refused(.tooInaccurate))
    #expect(phone.fix(5_000, accuracy: nil) == .refused(.unknownAccuracy))
    #expect(phone.fix(5_000) == .stored)
    #expect(phone.fix(9_000) == .refused(.tooFast), "800 m/s")
    #expect(phone.fix(5_020) == .stored)
  }

  @Test func aDeviceThatStaysPausesUntilItLeavesTheFence() throws {
    let phone = try Self.phone {
      $0.pausesAutomatically = true
      $0.exitFence = 300
    }
    for _ in 0..<22 { phone.fix(5_000, after: .seconds(30)) }
    #expect(phone.commands.last == .stopPositioning)
    let fences = phone.commands.compactMap { command -> Double? in
      if case .watchExitFence(_, let radius) = command { radius } else { nil }
    }
    #expect(fences == [300])
    #expect(phone.fix(5_200) == .thinned, "a provider that goes on measuring changes nothing within the fence")
    #expect(phone.fix(5_600, after: .minutes(5)) == .stored, "a fix beyond it does")
    #expect(phone.commands.contains(.unwatchExitFence) && phone.commands.last == .startPositioning)
    #expect(
      phone.notices.filter { if case .tracking = $0 { true } else { false } }
        == [.tracking(.started), .tracking(.paused), .tracking(.resumed)])
  }

  @Test func thePauseOfTheSystemEndsAtTheFence() throws {
    let phone = try Self.phone { $0.pausesAutomatically = true }
    phone.fix(5_000)
    phone.send(.leftExitFence)
    phone.send(.pausedPositioning)
    #expect(phone.commands.last == .stopPositioning)
    phone.send(.leftWakeFence)
    #expect(phone.commands.last == .stopPositioning, "another region ends no pause")
    phone.send(.leftExitFence)
    #expect(phone.commands.last == .startPositioning)
  }

  /// Overland ends trips of slow walks, because the system pauses.
  @Test func noPauseComesDuringATrip() throws {
    let phone = try Self.phone { $0.pausesAutomatically = true }
    phone.send(.trip(isInProgress: true))
    var policy = TrackingPolicy.everything
    #expect(phone.commands.last == .usePolicy(policy), "the system does not pause either")
    for _ in 0..<40 { phone.fix(5_000, after: .seconds(30)) }
    #expect(!phone.commands.contains(.stopPositioning))
    #expect(!phone.notices.contains(.tracking(.paused)))
    phone.send(.pausedPositioning)
    #expect(phone.commands.last == .startPositioning, "a pause of the system that was late ends at once")
    phone.send(.trip(isInProgress: false))
    policy.pausesAutomatically = true
    #expect(phone.commands.last == .usePolicy(policy))
    for _ in 0..<22 { phone.fix(5_000, after: .seconds(30)) }
    #expect(phone.commands.contains(.stopPositioning) && phone.notices.contains(.tracking(.paused)))
  }

  @Test func aVisitWithoutAnAccuracyIsNotRecorded() throws {
    let phone = try Self.phone { $0.mode = .visits }
    phone.wait(.hours(1))
    for accuracy in [-1, .nan, .infinity, 1e8] {
      phone.send(
        .visit(
          Visit(
            coordinate: phone.venue.place(east: 5_000, north: 0), accuracy: accuracy, arrival: phone.now.wall,
            departure: nil)))
      phone.wait(.minutes(10))
    }
    #expect(phone.accounting.stored == 0)
  }

  @Test func aVisitIsOneRowWithItsEnd() throws {
    let phone = try Self.phone { $0.mode = .visits }
    let place = phone.venue.place(east: 5_000, north: 0)
    phone.wait(.hours(1))
    let arrival = phone.now.wall
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: nil)))
    phone.wait(.hours(2))
    #expect(phone.accounting.acknowledged == 1)
    phone.send(.visit(Visit(coordinate: place, accuracy: 30, arrival: arrival, departure: phone.now.wall)))
    phone.wait(.hours(1))
    let rows = phone.rows(to: OutsidePhone.outsideSink)
    #expect(Set(rows.map(\.id)).count == 1 && rows.map(\.time) == [arrival, arrival])
    #expect(rows.first?.stillUntil == arrival, "a rest without a length is a visit that lasts")
    #expect(rows.last?.stillUntil == arrival + .hours(2))
    #expect(phone.accounting.onPhone == 0 && phone.accounting.acknowledged == 1)
  }

  @Test func visitsBeforeTheConsentOrInAVenueAreNotRecorded() throws {
    let phone = try Self.phone { $0.mode = .visits }
    let before = phone.now.wall - .hours(3)
    phone.wait(.hours(1))
    phone.send(
      .visit(
        Visit(
          coordinate: phone.venue.place(east: 5_000, north: 0), accuracy: 30, arrival: before,
          departure: before + .hours(1))))
    phone.send(
      .visit(
        Visit(
          coordinate: phone.venue.place(east: 1, north: 0), accuracy: 30, arrival: phone.now.wall, departure: nil)))
    #expect(phone.accounting.stored == 0)
  }

  @Test func aSilentReceiverIsReportedOnce() throws {
    let phone = try Self.phone { $0.staleAfter = .minutes(10) }
    phone.fix(5_000)
    phone.wait(.hours(2))
    #expect(phone.notices.filter { $0 == .tracking(.stale) }.count == 1)
    phone.fix(5_010)
    phone.wait(.hours(2))
    #expect(phone.notices.filter { $0 == .tracking(.stale) }.count == 2)
  }

  @Test func thePresetsAreValidAndDiffer() throws {
    for preset in Preset.allCases {
      var configuration = OutsidePhone.configuration(TrackingPolicy(preset: preset))
      try configuration.validate()
      configuration.everywhere = nil
      try configuration.validate()
    }
    #expect(TrackingPolicy(preset: .highResolution).desiredAccuracy == .best)
    #expect(TrackingPolicy(preset: .saver).mode == .significant)
  }
}
