import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import Testing

@Suite("The map of a venue is corrected")
struct CorrectedVenueTests {
  /// The same venue, place and circle with another map.
  struct Corrected: VenueGate {
    var map: SmallVenue
    let contentHash = String(repeating: "c", count: 64)
    var venue: VenueID { map.venue }
    var geofence: Geofence { map.geofence }
    func judge(_ coordinate: Coordinate, floor: FloorOrdinal?) -> GateVerdict { map.judge(coordinate, floor: floor) }
  }

  /// The corrected map records nothing in the room where these phones are.
  static let corrected: Corrected = {
    var map = SmallVenue()
    map.rooms = [.init("prayer", x: 0...10, y: -5...5, recording: .unrecorded)]
    return Corrected(map: map)
  }()

  @Test func waitingRowsNameTheMapThatAcceptedThem() throws {
    let phone = try TestPhone()
    phone.consentAndStart()
    phone.send(.region(.entered))
    #expect(phone.fix(at: (east: 1, north: 0)) == .held)
    phone.send(.venue(Self.corrected))
    let rows = try FixRuleTests.rows(phone)
    #expect(rows.map(\.venueHash) == [phone.venue.contentHash])
    phone.wait(.seconds(10))
    #expect(phone.fix(at: (east: 1, north: 0)) == .refused(.unrecorded))
    phone.wait(.seconds(10))
    #expect(phone.fix(at: (east: 20, north: 0)) == .held)
    phone.wait(.seconds(30))
    #expect(try FixRuleTests.rows(phone).map(\.venueHash) == [phone.venue.contentHash, Self.corrected.contentHash])
  }

  @Test(arguments: [true, false])
  func aRestIsJudgedByTheCorrectedMap(_ hasSensors: Bool) throws {
    let phone = try FixRuleTests.tracking()
    if hasSensors { phone.send(.motion(.still)) }
    phone.stay(at: (east: 1, north: 0), for: .minutes(7))
    #expect(phone.runtime.phase == .resting)
    let corrected = phone.now.wall
    phone.send(.venue(Self.corrected))
    phone.stay(at: (east: 1, north: 0), for: .minutes(30))
    let end = try FixRuleTests.rows(phone).compactMap(\.stillUntil).max()
    #expect(try #require(end) <= corrected)
    #expect(phone.runtime.phase == .tracking)
  }

  @Test func theSameMapAgainHasNoEffect() throws {
    let phone = try FixRuleTests.tracking()
    phone.stay(at: (east: 1, north: 0), for: .minutes(7))
    #expect(phone.runtime.phase == .resting)
    phone.send(.venue(phone.venue))
    #expect(phone.runtime.phase == .resting)
  }
}
