import CordonCore
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonCrowd
@testable import CordonRun
@testable import CordonSimulator

/// The shipped morning of a hospital: steps, desks and companions together.
@Suite("The hospital sample")
struct HospitalMorningTests {
  @Test func allPatientsRegisterBeforeTheirConsultation() throws {
    let file = Places.file("venues/scenarios/hospital-outpatient-morning.yaml")
    var scenario = try Scenario(parsing: try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
    scenario.movement.model = .way
    guard case .generated(let kind, let floors, let area, let seed)? = scenario.venue else {
      Issue.record("the sample generates its venue")
      return
    }
    let venue = try VenueGenerator.generate(
      kind: kind, floors: floors, area: area ?? kind.defaultArea, seed: seed, origin: VenueGenerator.defaultOrigin)
    let world = try World(venue: venue)
    let plan = try scenario.plan(in: world)
    let truth = try Simulation.truth(
      of: plan, world: world, replication: scenario.replication(0), model: scenario.movement.movementModel)
    var order: [Int: [String]] = [:]
    for (index, person) in truth.people.enumerated() {
      order[index] = person.waits.compactMap { wait in
        if case .station(let station, _) = wait.reason { plan.stations[station].name } else { nil }
      }
    }
    let patients = plan.people.indices.filter { plan.populations[plan.people[$0].population] == "patients" }
    let companions = Set(plan.itineraries.filter { $0.leader != nil }.map(\.person))
    let served = patients.filter { !companions.contains($0) && !(order[$0] ?? []).isEmpty }
    #expect(served.count > 140 && companions.count > 20)
    for person in served {
      #expect(order[person]?.first == "registration", "person \(person): \(order[person] ?? [])")
      #expect(order[person]?.count { $0 == "registration" } == 1)
    }
    #expect(served.count { order[$0]?.contains("consultation") == true } >= served.count * 95 / 100)
    #expect(companions.allSatisfy { order[$0]?.isEmpty ?? true })
    // The desks have names.
    let queues = QueueFigures(world: world, stations: plan.stations, start: scenario.start, end: scenario.end).rows(
      truth.people.flatMap(\.waits)
    ).map(QueueNames(places: RunPlaces(venue: venue, plan: world.plan), venue: venue).named)
    let names = Set(queues.map(\.name))
    #expect(names.isSuperset(of: ["Lobby: registration", "consultation", "Laboratory: test", "Pharmacy: pharmacy"]))
  }
}
