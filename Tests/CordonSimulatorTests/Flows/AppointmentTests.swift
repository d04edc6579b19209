import CordonCore
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Appointments and companions")
struct AppointmentTests {
  let world: World

  init() throws {
    world = try World(venue: VenueGenerator.generate(kind: .hospital, floors: 1, area: 1_500, seed: 2))
  }

  private static let activities = """
    activities:
      - {name: registration, kinds: [lobby], servers: 2, duration: 60s}
      - {name: wait, kinds: [waiting-area, lobby], until: called}
      - {name: eyes, kinds: [medical], servers: 1, order: appointment, duration: {min: 4m, max: 8m}}
      - {name: ears, kinds: [office], servers: 1, order: appointment, duration: 5m}
    """

  private func scenario(_ table: String, _ arrival: String = "", more: String = "") throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-12T08:00, duration: 6h, zone: Europe/Berlin}
        populations:
          - name: patients
            arrival: {appointments: list.csv\(arrival)}
            steps: [registration, {one_of: [{steps: [wait, eyes]}, {steps: [wait, ears]}]}]
            \(more)
        \(Self.activities)
        """, readFile: { $0 == "list.csv" ? table : try Scenario.noFile($0) })
  }

  @Test func appointmentsDecideArrivalClinicAndRank() throws {
    let table = """
      clinic,person,time,doctor
      eyes,"Doe, J.",09:00,x
      ears,p2,2026-01-12T09:30,x
      eyes,p3,2026-01-12T10:00:00+01:00,x
      ,p4,11:00,x

      """
    let scenario = try scenario(table, ", early: {min: 5m, max: 10m}")
    let plan = try scenario.plan(in: world)
    #expect(plan.itineraries.count == 4 && plan.people.count == 4 && scenario.expectedPeople == 4)
    for (person, minutes, clinic) in [(0, 60, "eyes"), (1, 90, "ears"), (2, 120, "eyes"), (3, 180, "")] {
      let itinerary = plan.itineraries[person]
      let appointment = scenario.start + .minutes(Int64(minutes))
      #expect(itinerary.arrival <= appointment - .minutes(5) && itinerary.arrival >= appointment - .minutes(10))
      let wait = try #require(itinerary.stops.first { $0.isUntilCalled })
      let index = try #require(wait.station)
      let station = plan.stations[index]
      #expect(clinic.isEmpty || station.name == clinic)
      #expect(wait.appointment == (clinic.isEmpty ? nil : appointment) && station.order == .appointment)
      #expect(itinerary.stops[0].appointment == nil)
    }
  }

  @Test func noShowsStayAway() throws {
    let table =
      "person,time,clinic\n" + (0..<200).map { "p\($0),1\($0 % 3):\(10 + $0 % 50),eyes" }.joined(separator: "\n")
    let scenario = try scenario(table, ", no_shows: 0.25")
    let plan = try scenario.plan(in: world)
    #expect(abs(plan.people.count - 150) < 25 && scenario.expectedPeople == 150)
    let missing = 200 - plan.people.count
    #expect(plan.remarks.contains("nobody came to \(missing) appointments of 'patients' (no_shows)"), "\(plan.remarks)")
  }

  @Test(arguments: [
    ("name,time\np1,09:00", "line 1: needs a header with the columns person, time and clinic"),
    ("person,time,clinic\np1,09:00,eyes\np2,9h,eyes", "line 3: '9h' is not a time"),
    (
      "person,time,clinic\np1,09:00,eye",
      "line 2: the steps of the population do not include 'eye' (did you mean 'eyes'?)"
    ),
    ("person,time,clinic\np1,09:00", "line 2: has 2 of 3 columns"),
    ("person,time,clinic\n,09:00,eyes", "line 2: needs a person"),
    ("person,time,clinic\np1,09:00,eyes\np1,10:00,ears", "line 3: 'p1' has an appointment on the same day on line 2"),
    ("person,time,clinic\n", "has no appointments"),
  ])
  func faultyTables(table: String, message: String) throws {
    let error = #expect(throws: ScenarioError.self) { try scenario(table) }
    #expect(error?.line == 4 && error?.message.contains(message) == true, "\(error as Any)")
    #expect(error?.message.contains("list.csv") == true)
  }

  @Test func keysThatNeedOthersAreRejected() throws {
    let error = #expect(throws: ScenarioError.self) {
      try Scenario(
        parsing: """
          time: {start: 2026-01-12T08:00, duration: 6h}
          populations:
            - {name: patients, size: 3, arrival: {window: [08:00, 09:00], no_shows: 0.1}}
          """)
    }
    #expect(error?.line == 3 && error?.message.contains("needs 'appointments'") == true, "\(error as Any)")
  }

  /// Companions are people of their own, are not served, and stay with the person whom they accompany.
  @Test(arguments: [MovementChoice.csm, .way, .meso]) func companionsStayWithTheirPerson(model: MovementChoice) throws {
    let table = "person,time,clinic\n" + (0..<12).map { "p\($0),09:\(10 + $0 * 2),eyes" }.joined(separator: "\n")
    var scenario = try scenario(table, more: "companions: {share: 1, number: [1, 2]}")
    scenario.movement.model = model
    let plan = try scenario.plan(in: world)
    let companions = plan.itineraries.filter { $0.leader != nil }
    #expect((12...24).contains(companions.count) && plan.people.count == 12 + companions.count)
    #expect(scenario.expectedPeople == 12 * 2.5)
    for itinerary in companions {
      let index = try #require(itinerary.leader)
      let leader = plan.itineraries[index]
      #expect(itinerary.stops.allSatisfy { !$0.hasQueue } && leader.stops.contains { $0.hasQueue })
      #expect(itinerary.stops.map(\.destination) == leader.stops.map(\.destination))
    }
    let truth = try Simulation.truth(world: world, scenario: scenario)
    for (person, itinerary) in plan.itineraries.enumerated() where itinerary.leader != nil {
      let own = truth.people[itinerary.person]
      let index = try #require(itinerary.leader)
      let leader = truth.people[plan.itineraries[index].person]
      #expect(own.waits.filter { if case .connection = $0.reason { false } else { true } }.isEmpty, "\(person)")
      #expect(own.hasLeft && leader.hasLeft)
      // Both leave the consultation together.
      let mine = try #require(own.stays.last)
      let theirs = try #require(leader.stays.last)
      #expect(abs((mine.end - theirs.end).seconds) < 30, "\(person): \(mine.end) \(theirs.end)")
      #expect(mine.destination == theirs.destination)
    }
  }
}
