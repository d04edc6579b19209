import CordonCore
import CordonCrowd
import CordonSimulator
import CordonVenueTools
import CordonVenues
import Foundation
import Measuring

/// Days of an office in the mesoscopic mode: plans and movement, person-minutes per processor second, and the changes
/// of place per person and day, for a comparison with another tool.
enum MesoscopicMeasurements {
  static func run(_ arguments: [String]) {
    let values = Arguments.values(arguments)
    let days = max(Int(values["days"] ?? 50), 1)
    guard let path = arguments.first(where: { !$0.contains("=") }),
      let bytes = FileManager.default.contents(atPath: path)
    else {
      print("no scenario")
      exitWithFindings()
    }
    do {
      let scenario = try Scenario(parsing: String(decoding: bytes, as: UTF8.self), file: path)
      guard case .generated(let kind, let floors, let area, let seed) = scenario.venue else {
        print("the scenario does not generate its venue")
        exitWithFindings()
      }
      let begin = cpuSeconds()
      let world = try World(
        venue: VenueGenerator.generate(kind: kind, floors: floors, area: area ?? kind.defaultArea, seed: seed))
      let ready = cpuSeconds()
      var ensemble = MesoscopicDays(world: world)
      var (stays, visits, people) = (0, 0, 0)
      for day in 0..<days {
        var planner = try ScenarioPlanner(scenario, world: world, replica: UInt32(day))
        let plan = try planner.plan()
        let truth = try ensemble.truth(
          of: plan, replication: scenario.replication(UInt32(day)))
        for person in truth.people {
          stays += person.stays.count
          visits += person.visits.count
        }
        people += plan.people.count
      }
      let spent = cpuSeconds() - ready
      let minutes = Double(people) * (scenario.end - scenario.start).seconds / 60
      // Each stay begins with a change of place, and each visit ends with one.
      let changes = Double(stays + visits) / Double(max(people, 1))
      print(
        "{\"people\": \(people / days), \"days\": \(days), \"places\": \(world.destinations.count), \"changes_per_person_day\": \((changes * 10).rounded() / 10), \"setup_cpu_s\": \(ready - begin), \"cpu_s\": \(spent), \"person_minutes_per_cpu_s\": \(Int(minutes / spent))}"
      )
    } catch {
      print("cannot be run: \(error)")
      exitWithFindings()
    }
  }
}
