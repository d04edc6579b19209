import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("In and out of the geofence")
struct FenceTests {
  @Test func aSingleBadFixDoesNotEndAVisit() throws {
    let phone = try FixRuleTests.tracking()
    phone.fix(at: (east: 1_000, north: 0))
    phone.wait(.seconds(5))
    #expect(phone.runtime.phase == .tracking)
    #expect(phone.fix(at: (east: 1, north: 0)) == .stored)
    for _ in 0..<2 {
      phone.wait(.seconds(5))
      phone.fix(at: (east: 1_000, north: 0))
    }
    #expect(phone.runtime.phase == .tracking)
    phone.wait(.seconds(5))
    phone.fix(at: (east: 1_000, north: 1))
    #expect(phone.runtime.phase == .armed)
  }

  /// A device outside the circle that begins a session, but inside the wider one that ends it, is still there.
  @Test func betweenTheTwoCirclesAVisitContinues() throws {
    let phone = try FixRuleTests.tracking()
    let fence = phone.venue.geofence
    for step in 0..<10 {
      phone.wait(.seconds(5))
      phone.fix(at: (east: (fence.radius + fence.exitRadius) / 2 + Double(step), north: 0))
    }
    #expect(phone.runtime.phase == .tracking)
  }

  @Test func armedMonitorsTheRegionWithPositioningOff() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    #expect(phone.runtime.phase == .armed)
    #expect(phone.commands.contains(.watchRegion(phone.venue.geofence)))
    #expect(!phone.commands.contains(.startPositioning))
  }

  @Test func restMonitorsASmallCircleWithPositioningOff() throws {
    let phone = try FixRuleTests.tracking()
    phone.send(.motion(.still))
    phone.stay(at: (east: 1, north: 0), for: .minutes(6))
    #expect(phone.runtime.phase == .resting)
    let circles = phone.commands.compactMap { command -> Double? in
      if case .watchWakeFence(_, let radius) = command { radius } else { nil }
    }
    #expect(circles.count == 1 && circles[0] >= 30)
    #expect(phone.commands.last { [.startPositioning, .stopPositioning].contains($0) } == .stopPositioning)
    phone.send(.leftWakeFence)
    #expect(phone.runtime.phase == .tracking)
    #expect(phone.commands.contains(.unwatchWakeFence))
  }

  @Test func motionDuringTheWaitKeepsPositioningOn() throws {
    let phone = try FixRuleTests.tracking()
    phone.send(.motion(.still))
    phone.stay(at: (east: 1, north: 0), for: .minutes(4))
    phone.send(.motion(.moving))
    phone.stay(at: (east: 1, north: 0), for: .minutes(3))
    #expect(phone.runtime.phase == .tracking)
    #expect(phone.commands.last { [.startPositioning, .stopPositioning].contains($0) } != .stopPositioning)
  }

  @Test func anInaccurateFixDoesNotCountTowardsAnExit() throws {
    let phone = try FixRuleTests.tracking()
    phone.accuracy = 2_000
    for step in 0..<5 {
      phone.wait(.seconds(5))
      phone.fix(at: (east: 1_000 + Double(step), north: 0))
    }
    #expect(phone.runtime.phase == .tracking)
  }

  @Test func aWrongExitIsCorrected() throws {
    let phone = try FixRuleTests.tracking()
    phone.send(.region(.exited))
    #expect(phone.runtime.phase == .armed)
    let asked = phone.commands.filter { $0 == .requestFix }.count
    phone.wait(.seconds(61))
    #expect(phone.commands.filter { $0 == .requestFix }.count == asked + 1)
    #expect(phone.fix(at: (east: 1, north: 0)) == .stored)
    #expect(phone.runtime.phase == .tracking)
  }

  @Test func stopEndsEverything() throws {
    let phone = try FixRuleTests.tracking()
    phone.send(.stop)
    #expect(phone.commands.contains(.unwatchRegion))
    phone.send(.region(.entered))
    #expect(phone.runtime.phase == .off)
    #expect(phone.fix(at: (east: 1, north: 0)) == .refused(.notTracking))
  }

  @Test func anArmedMonitorWakesAtMostOnceAMinute() throws {
    let phone = try FixRuleTests.tracking()
    phone.fix(at: (east: 1, north: 0))
    phone.isOnline = true
    phone.send(.region(.exited))
    phone.wait(.minutes(1))
    var wakes = 0
    var now = phone.now
    var output = MonitorOutput()
    while let due = phone.runtime.nextTimer, due <= phone.now.monotonic + .hours(2) {
      #expect(due - now.monotonic >= .minutes(1))
      now = now + (due - now.monotonic)
      phone.runtime.step(now, .wake, into: &output)
      wakes += 1
    }
    #expect(wakes <= 5)
  }

  @Test func restEndsAfterAnUnwatchedGap() throws {
    let phone = try FixRuleTests.tracking()
    phone.send(.motion(.still))
    phone.stay(at: (east: 1, north: 0), for: .minutes(6))
    #expect(phone.runtime.phase == .resting)
    let confirmed = phone.now.wall
    // The process slept for an hour: no timer fired.
    phone.sleep(.hours(1))
    phone.send(.wake)
    #expect(phone.runtime.phase == .tracking)
    let end = try FixRuleTests.rows(phone).compactMap(\.stillUntil).max()
    #expect(try #require(end) <= confirmed + .minutes(1))
  }

  @Test func aPauseEndsByItself() throws {
    let phone = try FixRuleTests.tracking()
    phone.send(.pause(until: phone.now.wall + .minutes(10)))
    #expect(phone.runtime.phase == .paused)
    #expect(phone.fix(at: (east: 1, north: 0)) == .refused(.notTracking))
    phone.wait(.minutes(11))
    #expect(phone.runtime.phase == .armed)
  }
}
