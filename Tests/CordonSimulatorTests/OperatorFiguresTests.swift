import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonRun
@testable import CordonSimulator

@Suite("Figures for operators")
struct OperatorFiguresTests {
  /// A run that begins and ends within bins of occupancy.
  static func contents(_ more: String = "") throws -> RunContents {
    let text = """
      time: {start: 2026-01-05T08:00:20, duration: 47m, zone: Europe/Berlin}
      populations:
        - {name: staff, size: 25, arrival: {window: [08:01, 08:15]}, visit: 3h, activities: [work, meeting]}
        - {name: guests, size: 10, arrival: {window: [08:05, 08:20]}, visit: 15m, activities: [meeting]}
      activities:
        - {name: work, kinds: [office], duration: {min: 5m, max: 15m}}
        - {name: meeting, kinds: [meeting-room], duration: {min: 5m, max: 10m}}
      policies: {capacity: {meeting-room: 4}}
      phones: {interval: 10s}
      movement: {model: meso}
      seed: 3
      """
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)
    return try VenueSimulation(venue: venue, scenario: try Scenario(parsing: text + "\n" + more)).run(
      store: .memory(MemoryStore()))
  }

  /// The occupancy bins decide every figure of a place.
  @Test func placesAndOccupancyAgreeInEveryBin() throws {
    let contents = try OperatorFiguresTests.contents()
    let bin = contents.parameters.occupancyBin
    let (start, end) = (contents.parameters.start, contents.parameters.end)
    #expect(start.milliseconds % bin.milliseconds != 0 && end.milliseconds % bin.milliseconds != 0)
    let bins = Int(end.bucket(of: bin) - start.bucket(of: bin) + 1)
    #expect(contents.outcome.places.count > 10)
    let areas = contents.venue.spaces.map(\.area)
    var seen = 0
    for place in contents.outcome.places {
      let rows = contents.occupancy.filter {
        $0.source == place.source && $0.floor == place.floor && $0.space == place.space
      }
      seen += rows.count
      #expect(rows.allSatisfy { $0.binStart + bin.milliseconds > start.milliseconds && $0.binStart < end.milliseconds })
      let presence = rows.reduce(0) { $0 + $1.mean } * bin.seconds
      #expect(abs(place.mean * (end - start).seconds - presence) <= 0.5e-4 * (end - start).seconds + 1e-6)
      #expect(place.peak == rows.map(\.peak).max())
      #expect(rows.first { $0.peak == place.peak }?.binStart == place.peakTime)
      let means = Sample(rows.map(\.mean) + Array(repeating: 0, count: bins - rows.count))
      #expect(abs(place.p95 - means.quantile(0.95)) <= 0.5e-4 + 1e-9)
      if let capacity = place.capacity {
        #expect(place.minutesOverCapacity == Double(rows.count { Int($0.peak) > capacity }) * bin.seconds / 60)
        // Stays are known of the truth alone.
        #expect((place.minutesOverCapacityStaying == nil) == (place.source == .observed))
      }
      guard place.space != ObservedLocation.noSpace else { continue }
      let minutes = try #require(place.levelMinutes)
      #expect(minutes.values.reduce(0, +) == Double(rows.count) * bin.seconds / 60)
      for level in LevelOfService.allCases {
        let there = rows.filter {
          LevelOfService(areaPerPerson: areas[Int($0.space)] / Double($0.peak)) == level
        }
        #expect(minutes[level] == Double(there.count) * bin.seconds / 60)
      }
      #expect(place.visits ?? 0 > 0)
      // The time in the place, as a mean over visits and as a mean over the run.
      if let visits = place.visits, let mean = place.meanVisit, place.source == .truth {
        #expect(mean * Double(visits) >= presence - 1)
      }
    }
    #expect(seen == contents.occupancy.count)
    // The page has the same counts: all of a run that begins within a bin.
    let page = ReportOccupancy(contents: contents)
    let floors = contents.occupancy.filter { $0.source == .truth && $0.space == ObservedLocation.noSpace }
    #expect(abs((page.first?.total ?? []).reduce(0, +) - floors.reduce(0) { $0 + $1.mean }) < 1e-6)
  }

  /// Two stay and a third one passes: at a limit of one, the stays exceed it in the first bins alone.
  @Test func minutesOverTheCapacityHaveAReason() {
    func stay(_ start: Int64, _ end: Int64) -> StayLength {
      StayLength(floor: 0, space: 1, start: start * 60_000, end: end * 60_000)
    }
    let stays = [stay(0, 3), stay(1, 2), stay(3, 9), stay(9, 9)]
    #expect(CapacityMinutes.bins(of: stays, above: 1, width: 60_000) == [1])
    #expect(CapacityMinutes.bins(of: stays, above: 0, width: 300_000) == [0, 1])
    #expect(CapacityMinutes.bins(of: stays, above: 2, width: 60_000).isEmpty)
    let bins = [0, 1, 4, 6].map { minute in
      BinnedPresence.Bin(start: minute * 60_000, mean: 1, peak: minute == 0 ? 1 : 2)
    }
    func presence(_ stays: [StayLength]?, capacity: Int?) -> BinnedPresence {
      BinnedPresence(
        bins, start: Instant(milliseconds: 0), end: Instant(milliseconds: 600_000), width: .minutes(1), area: nil,
        capacity: capacity, stays: stays)
    }
    let known = presence(stays, capacity: 1)
    #expect(known.minutesOverCapacity == 3 && known.minutesOverCapacityStaying == 1)
    #expect(presence(nil, capacity: 1).minutesOverCapacityStaying == nil)
    #expect(presence(stays, capacity: nil).minutesOverCapacityStaying == nil)
    #expect(presence([], capacity: 1).minutesOverCapacityStaying == 0)
    var place = RunOutcome.Place(
      source: .truth, floor: 0, space: 1, mean: 1, p95: 1, peak: 2, peakTime: 0, minutesOverCapacity: 3,
      minutesOverCapacityStaying: 1)
    var floor = place
    floor.space = ObservedLocation.noSpace
    #expect(CapacityMinutes.total([place, place, floor]) == .init(staying: 2, passing: 4))
    place.source = .observed
    #expect(CapacityMinutes.total([place]) == .init())
  }

  @Test func peopleHaveTheTimesOfTheirVisits() throws {
    let contents = try OperatorFiguresTests.contents()
    var isInside = 0
    for (number, person) in contents.people.enumerated() {
      let segments = contents.truth.filter { Int($0.device) == number }
      #expect(person.cameIn == !segments.isEmpty)
      #expect(person.arrival?.milliseconds == segments.first?.start)
      if let departure = person.departure { #expect(departure.milliseconds == segments.last?.end) }
      isInside += person.cameIn && person.departure == nil ? 1 : 0
      #expect((person.timeInside?.milliseconds ?? 0) == segments.reduce(0) { $0 + $1.end - $1.start })
    }
    #expect(isInside > 0 && isInside < contents.summary.people)
  }

  @Test func doorsAreNamedAfterTheSpacesOnTheirSides() throws {
    let contents = try OperatorFiguresTests.contents()
    let openings = contents.venue.openings
    #expect(!openings.isEmpty && Set(openings.map(\.name)).count == openings.count)
    #expect(openings.contains { $0.entrance == 0 && $0.name.hasPrefix("Entrance 0 (") })
    let inside = openings.filter { $0.left != ObservedLocation.noSpace && $0.right != ObservedLocation.noSpace }
    #expect(inside.count > 5)
    for door in inside where door.entrance == nil {
      #expect(door.name.hasPrefix(contents.venue.spaces[Int(door.left)].title))
      #expect(door.left != door.right || door.name.contains(" / "))
    }
    // At least as many people enter a room through its only door as leave it.
    let ids = Set(openings.map(\.id))
    #expect(contents.outcome.flows.allSatisfy { ids.contains($0.opening) })
    for room in contents.venue.spaces.indices where contents.venue.spaces[room].kind == "meeting-room" {
      let doors = openings.filter { $0.left == Int32(room) || $0.right == Int32(room) }
      guard doors.count == 1, let door = doors.first else { continue }
      let flows = contents.outcome.flows.filter { $0.opening == door.id }
      let (forward, backward) = (flows.reduce(0) { $0 + $1.forward }, flows.reduce(0) { $0 + $1.backward })
      let (into, out) = door.right == Int32(room) ? (forward, backward) : (backward, forward)
      #expect(into >= out, "\(door.name)")
    }
  }
}
