import CordonCore
import CordonCrowd
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonSimulator

/// Fits on measurements that a known scenario made: the known values are found again.
@Suite("Fits to known scenarios")
struct FitRecoveryTests {
  private let venue: Venue
  private let rooms: [String]

  init() throws {
    venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 2)
    rooms = venue.spaces.filter { $0.kind == .office }.compactMap { $0.name.text() }
  }

  private func scenario(_ population: String, popularity: String = "", rooms names: [String]? = nil) throws -> Scenario
  {
    let list = (names ?? Array(rooms.prefix(2))).map { "\"\($0)\"" }.joined(separator: ", ")
    return try Scenario(
      parsing: """
        time: {start: 2026-01-05T00:00, duration: 1d}
        populations: [{name: people, activities: [stay], \(population)}]
        activities: [{name: stay, spaces: [\(list)], duration: {min: 30m, max: 60m}\(popularity)}]
        seed: 3
        """)
  }

  private let truth =
    "arrival: {rates: {mon-fri: {08:00: 24, 10:00: 6, 16:00: 0}}}, visit: {distribution: lognormal, median: 50m, spread: 0.3}"

  /// The people in rooms, and those who come in and go out, every five minutes of some weeks of a scenario.
  private func measured(_ scenario: Scenario, weeks: Int, flows: Bool) throws -> MeasuredTable {
    let world = try scenario.world(venue)
    var days = MesoscopicDays(world: world)
    let simulation = FitSimulation(world: world, places: [], binMinutes: 30, isWeek: true)
    let timed = simulation.timed(scenario)
    var values: [MeasuredTable.Value] = []
    for week in 0..<weeks {
      let replica = UInt32(500 + week)
      let truth = try days.truth(of: timed.plan(in: world, replica: replica), replication: timed.replication(replica))
      for step in 0..<7 * 288 {
        let time = timed.start.milliseconds + Int64(step) * 300_000
        let (day, second) = (week * 7 + step / 288, step % 288 * 300)
        func add(_ place: String, _ quantity: MeasuredTable.Quantity, _ number: Int) {
          values.append(.init(day: day, second: second, place: place, quantity: quantity, number: Double(number)))
        }
        for space in world.plan.spaces.indices where rooms.prefix(2).contains(world.plan.spaces[space].name) {
          add(
            world.plan.spaces[space].name, .people,
            truth.people.reduce(0) { sum, person in
              sum
                + person.stays.count {
                  $0.space == space && $0.start.milliseconds <= time && time < $0.end.milliseconds
                }
            })
        }
        guard flows else { continue }
        let visits = truth.people.flatMap(\.visits)
        add("", .entries, visits.count { (time..<time + 300_000).contains($0.arrival.milliseconds) })
        add("", .exits, visits.count { $0.hasLeft && (time..<time + 300_000).contains($0.departure.milliseconds) })
      }
    }
    var table = try MeasuredTable(parsing: "DayId,Time,count\n0,00:00,0\n", clock: .utc)
    table.values = values
    table.days = (0..<weeks * 7).map { .init(number: $0, weekday: $0 % 7, label: "day \($0)") }
    return table
  }

  @Test func arrivalsVisitsAndRoomsAreFoundAgain() throws {
    let known = try scenario(truth, popularity: ", popularity: {\"\(rooms[0])\": 3}")
    let table = try measured(known, weeks: 3, flows: true)
    let start = try scenario("size: 10, arrival: {window: [09:00, 12:00]}, visit: 2h")
    var options = ScenarioFit.Options()
    options.holdOut = .days(Set(14..<21))
    (options.replicas, options.corrections) = (12, 4)
    let fit = try ScenarioFit(start, venue: venue, measured: [table], options: options)
    guard case .hourly(let rates) = fit.scenario.populations[0].arrival else {
      Issue.record("arrivals are rates")
      return
    }
    func total(_ day: Int) -> Double {
      rates.filter { $0.weekdays.contains(day) }.reduce(0) { sum, rate in
        sum + rate.perHour * Double(rate.window.to.seconds - rate.window.from.seconds) / 3_600
      }
    }
    // 2 hours of 24 and 6 hours of 6 are 84 people a day.
    let week = (0..<5).map(total)
    let perDay: Double = week.reduce(0, +) / 5
    #expect(abs(perDay / 84 - 1) < 0.1, "\(week)")
    #expect(total(5) == 0 && total(6) == 0)
    let visit = try #require(fit.scenario.populations[0].visit)
    let knownMean: Double = known.populations[0].visit?.mean ?? 0
    let visitRatio: Double = visit.mean / knownMean
    #expect(abs(visitRatio - 1) < 0.1, "\(visit.yaml)")
    let factors = try #require(fit.scenario.activities.first).popularity
    #expect(factors.map(\.target.name) == Array(rooms.prefix(2)))
    #expect(abs(factors[0].factor / factors[1].factor / 3 - 1) < 0.35, "\(factors)")
    #expect(fit.scenario.populations[0].variation < 0.5)
    #expect(fit.heldOutDays.map(\.number) == Array(14..<21) && fit.trainingDays.count == 14)
    for place in fit.places {
      let errors = place.qualities.map(\.meanAbsoluteError)
      #expect(errors[0] < errors[1] && errors[0] < errors[2], "\(place.name): \(errors)")
      let coverage = try #require(place.qualities[0].coverage)
      #expect(coverage > 0.8, "\(place.name): \(coverage)")
    }
    // The written file is the fitted scenario.
    #expect(fit.changes.map(\.key).contains("populations[people].arrival"))
  }

  @Test func oneRoomNeedsOneCount() throws {
    let known = try scenario(truth, rooms: [rooms[0]])
    let table = try measured(known, weeks: 2, flows: false)
    let start = try scenario("size: 10, arrival: {window: [09:00, 12:00]}, visit: 50m", rooms: [rooms[0]])
    var one = table
    one.values.removeAll { $0.place != rooms[0] }
    var options = ScenarioFit.Options()
    options.corrections = 3
    options.replicas = 10
    let fit = try ScenarioFit(start, venue: venue, measured: [one], options: options)
    let place = try #require(fit.places.first)
    let errors = place.qualities.map(\.meanAbsoluteError)
    #expect(errors[0] < errors[1] && errors[0] < errors[2], "\(errors)")
    let share = abs(place.qualities[0].bias) / max(place.average.reduce(0, +) / Double(place.average.count), 0.1)
    #expect(share < 0.35, "the number of people is that of the room")
  }

  @Test func devicesGiveTheShareOfPhones() throws {
    let start = try scenario("size: 10, arrival: {window: [09:00, 12:00]}, visit: 50m, devices: 0.5", rooms: [rooms[0]])
    var text = "time;room;count;devices\n"
    for hour in 8..<16 { text += "2026-01-05 \(hour < 10 ? "0" : "")\(hour):00;\(rooms[0]);10;4\n" }
    let table = try MeasuredTable(parsing: text, clock: .utc)
    var options = ScenarioFit.Options()
    (options.holdOut, options.corrections) = (.last(0), 1)
    let fit = try ScenarioFit(start, venue: venue, measured: [table], options: options)
    #expect(fit.scenario.populations[0].deviceShare == 0.4)
    #expect(fit.changes.contains { $0.key == "populations[people].devices" && $0.before == "0.5" && $0.after == "0.4" })
    let again = try ScenarioFit(start, venue: venue, measured: [table], options: options)
    #expect(again.scenario == fit.scenario && again.changes == fit.changes)
    // With devices alone, people are devices divided by the share of the scenario.
    let devices = try MeasuredTable(
      parsing: text.replacing(";count", with: ";peak").replacing("count", with: "peak"), clock: .utc)
    let series = MeasuredSeries([devices], place: rooms[0], days: devices.days, deviceShare: 0.5)
    #expect(series.people[0].samples.allSatisfy { $0.people == 8 })
  }

  @Test(arguments: [
    ("size: 3, arrival: {window: [09:00, 12:00]}", "Nowhere", "the venue has no space 'Nowhere'"),
    ("arrival: {shifts: [{from: 08:00, to: 12:00, size: 3}]}", "", "which a fit does not change"),
  ])
  func impossibleFitsAreExplained(population: String, room: String, message: String) throws {
    let start = try scenario(population)
    let name = room.isEmpty ? rooms[0] : room
    let table = try MeasuredTable(parsing: "time;room;count\n2026-01-05 08:00;\(name);3\n", clock: .utc)
    let error = #expect(throws: ScenarioError.self) { try ScenarioFit(start, venue: venue, measured: [table]) }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test func sharedRoomsNeedAPopulation() throws {
    let start = try Scenario(
      parsing: """
        time: {start: 2026-01-05T00:00, duration: 1d}
        populations:
          - {name: a, size: 3, arrival: {window: [09:00, 12:00]}}
          - {name: b, size: 3, arrival: {window: [09:00, 12:00]}}
        activities: [{name: stay, spaces: ["\(rooms[0])"], duration: {min: 30m, max: 60m}}]
        """)
    let table = try MeasuredTable(
      parsing: "time;room;count\n2026-01-05 08:00;\(rooms[0]);3\n2026-01-06 08:00;\(rooms[0]);3\n", clock: .utc)
    let error = #expect(throws: ScenarioError.self) { try ScenarioFit(start, venue: venue, measured: [table]) }
    #expect(error?.message.contains("--population") == true)
    var options = ScenarioFit.Options()
    (options.population, options.corrections, options.replicas) = ("b", 1, 2)
    let fit = try ScenarioFit(start, venue: venue, measured: [table], options: options)
    #expect(fit.scenario.populations[0] == start.populations[0] && fit.scenario.populations[1] != start.populations[1])
  }
}
