import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Phones under faults")
struct HardLivesTests {
  let venue: Venue
  let truth: Truth
  let gate: PackedVenueGate

  init() throws {
    venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 800, seed: 4)
    gate = PackedVenueGate(try venue.packed())
    let scenario = Scenario(visitors: 30, start: Scenario.defaultStart, duration: .hours(2), seed: 7)
    truth = try Simulation.truth(
      world: try World(venue: venue), scenario: scenario, model: WayFollowing())
  }

  private func fleet(_ change: (inout PhoneSetup) -> Void) throws -> PhoneFleet {
    var scenario = Scenario(visitors: 30, duration: .hours(2), seed: 7)
    change(&scenario.phones)
    var fleet = try PhoneFleet(
      truth: truth, gate: gate, venue: venue, scenario: scenario, store: .memory(MemoryStore()))
    _ = try fleet.run(progress: { _, _, _, _ in }, isInterrupted: { false })
    let counted = fleet.accounting
    #expect(counted.fixes == counted.refused + counted.thinned + counted.held + counted.stored)
    #expect(
      counted.stored == counted.acknowledged + counted.onPhone + counted.quarantined + counted.expired + counted.erased)
    return fleet
  }

  @Test func aNoticeReachesThePhonesThatStillSend() throws {
    let fleet = try fleet { $0.noticeAfter = .hours(1) }
    let notices = try #require(fleet.notices)
    #expect(notices.made > 5 && notices.delays.count > 3 && notices.delays.count <= notices.made)
    // Phones ask after a delivery, every five minutes, and at most every quarter of an hour.
    #expect(try #require(notices.delay(quantile: 1)) < 3_600 && notices.delay(quantile: 0.5) ?? 0 > 0)
    let late = try self.fleet { setup in
      setup.noticeAfter = .hours(1)
      setup.network.offlinePerDay = 60
    }
    #expect(late.notices?.delays != notices.delays)
    #expect(try self.fleet { _ in }.notices == nil)
  }

  @Test func aBadNetworkDelaysRowsButLosesAndDuplicatesNone() throws {
    let fleet = try fleet { setup in
      setup.network.loss = 0.3
      setup.network.serverErrors = 0.2
      setup.network.latency = .seconds(2)
    }
    let calm = try self.fleet { _ in }
    // Half of the losses and all server errors are failed requests: about four in ten.
    let failed = Double(fleet.traffic.failedRequests) / Double(fleet.traffic.requests)
    #expect(failed > 0.3 && failed < 0.6, "\(failed)")
    #expect(calm.traffic.requests > 0 && calm.traffic.failedRequests == 0)
    // A late activation delays the first fix.
    #expect(fleet.accounting.stored <= calm.accounting.stored)
    #expect(fleet.accounting.stored > calm.accounting.stored / 2)
    // Rows without a confirmation are still on phones, and every confirmed row is at the sink once.
    #expect(fleet.sink.count >= Int(fleet.accounting.acknowledged))
    #expect(fleet.sink.count <= Int(fleet.accounting.stored))
    #expect(fleet.sink.knownCount > 0, "a lost answer makes a row come again")
    let delay = try #require(fleet.traffic.delay(quantile: 0.95))
    #expect(delay >= (try #require(calm.traffic.delay(quantile: 0.95))))
  }

  @Test func offlinePhonesKeepTheirRows() throws {
    let fleet = try fleet { setup in
      setup.network.offlinePerDay = 40
      setup.network.offlineMean = .minutes(20)
    }
    #expect(fleet.accounting.acknowledged + fleet.accounting.onPhone == fleet.accounting.stored)
    #expect(fleet.sink.count >= Int(fleet.accounting.acknowledged))
  }

  @Test func restartedProcessesKeepStoredRows() throws {
    let fleet = try fleet { setup in
      setup.habits.killsPerDay = 150
      setup.habits.restartAfter = .minutes(2)
    }
    #expect(fleet.kills > 30)
    #expect(UInt64(fleet.fixesMade - fleet.fixesForgotten) == fleet.accounting.fixes)
    #expect(fleet.sink.count >= Int(fleet.accounting.acknowledged))
    // A restarted process does not know that its phone was resting, so it may store more than one that never ended.
    let calm = try self.fleet { _ in }
    #expect(fleet.accounting.stored > calm.accounting.stored / 3)
  }

  @Test func withdrawalErasesAllRows() throws {
    let fleet = try fleet { $0.habits.withdrawalShare = 1 }
    #expect(fleet.sink.erased.count == fleet.devices.compactMap { $0 }.count)
    #expect(fleet.sink.count == 0)
    #expect(fleet.accounting.erased + fleet.accounting.acknowledged == fleet.accounting.stored)
  }

  @Test func pausesAndLostPermissionsMakeGaps() throws {
    let calm = try fleet { _ in }.accounting.stored
    #expect(try fleet { $0.habits.pauseShare = 1 }.accounting.stored < calm)
    #expect(try fleet { $0.habits.permissionLossShare = 1 }.accounting.stored < calm)
  }

  @Test func samplingSavesFixesAndBattery() throws {
    func battery(_ change: (inout PhoneSetup) -> Void) throws -> (fixes: Int, joules: Double) {
      let fleet = try fleet(change)
      return (fleet.fixesMade, fleet.joules(EnergyModel()).reduce(0, +))
    }
    let always = try battery { $0.interval = .seconds(2) }
    let rare = try battery { $0.interval = .seconds(20) }
    let moving = try battery {
      $0.interval = .seconds(2)
      $0.sampling = .distance(5)
    }
    let gated = try battery {
      $0.interval = .seconds(2)
      $0.sampling = .motion(.seconds(30))
    }
    #expect(rare.fixes < always.fixes / 5 && rare.joules < always.joules)
    #expect(moving.fixes < always.fixes / 2)
    #expect(gated.fixes < always.fixes)
    // A sensor that is off without motion draws no power, even on a phone that cannot detect rest without fixes.
    #expect(moving.joules < always.joules)
    #expect(gated.joules < always.joules)
  }

  @Test(arguments: [60, 150]) func phonesWithLongIntervalsReceiveTheirResponses(seconds: Int64) throws {
    let fleet = try fleet { $0.interval = .seconds(seconds) }
    let often = try self.fleet { _ in }
    #expect(fleet.accounting.acknowledged > 0)
    #expect(fleet.accounting.fixes * UInt64(seconds) / 5 > often.accounting.fixes / 3)
  }

  @Test func aLateGeofenceStartsLater() throws {
    func firstMinutes(_ delay: TimeSpan) throws -> [Double] {
      let fleet = try fleet { $0.geofenceDelay = delay }
      var first: [DeviceID: Instant] = [:]
      fleet.sink.forEachLocation { first[$0.device] = min(first[$0.device] ?? $0.time, $0.time) }
      return truth.people.indices.compactMap { person in
        guard let device = fleet.devices[person], let visit = truth.people[person].visits.first,
          let time = first[device]
        else { return nil }
        return (time - visit.arrival).seconds / 60
      }
    }
    let (prompt, late) = (try firstMinutes(.zero), try firstMinutes(.minutes(10)))
    #expect(prompt.allSatisfy { $0 < 1 }, "\(prompt)")
    // The delay is exponential and begins on the way from the street: half of the phones are a few minutes late or more.
    #expect(late.count { $0 > 3 } > late.count / 3, "\(late)")
  }

  @Test func continuousPositioningNeverRests() throws {
    let (resting, always) = (try fleet { _ in }, try fleet { $0.sampling = .continuous })
    let inside = truth.people.flatMap(\.visits).reduce(0) { $0 + ($1.departure - $1.arrival).seconds }
    #expect(Double(always.accounting.fixes) > 0.95 * inside / 5)
    #expect(resting.accounting.fixes < always.accounting.fixes * 3 / 4)
  }

  @Test func skewedClocksShiftTimestamps() throws {
    let fleet = try fleet { $0.clockSkew = .minutes(1) }
    var late = 0
    var early = 0
    fleet.sink.forEachLocation { location in
      if location.time > truth.end { late += 1 }
      if location.time < truth.start { early += 1 }
    }
    let calm = try self.fleet { _ in }
    #expect(fleet.accounting.stored > calm.accounting.stored * 9 / 10)
    var times = Set<Int64>()
    fleet.sink.forEachLocation { times.insert($0.time.milliseconds % 100) }
    #expect(times.count > 1, "clocks agree to the tenth of a second")
  }

  @Test func theModelsHaveTheMeasuredQuantiles() {
    for item in PhoneValidation.cases(devices: 600, fixes: 40) {
      #expect(item.passes, "\(item.subject), \(item.figure): \(item.value), \(item.band)")
    }
  }
}
