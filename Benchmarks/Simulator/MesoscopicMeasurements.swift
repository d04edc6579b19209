import CordonCore
import CordonSimulator
import CordonVenues
import Measuring

/// Days of an office in the mesoscopic mode: itineraries and movement, person-minutes per processor second.
///
/// The office has as many people and rooms as the one that ArchABM ships, and people change place as often: the
/// number of changes for a person and day is printed, to be held against ArchABM's.
enum MesoscopicMeasurements {
  static func run(_ arguments: [String]) {
    let values = Arguments.values(arguments)
    let people = Int(values["people"] ?? 60)
    let days = Int(values["days"] ?? 50)
    do {
      let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 900, seed: 3)
      let begin = cpuSeconds()
      let world = try World(venue: venue)
      let ready = cpuSeconds()
      var stays = 0
      var minutes = 0.0
      for day in 0..<days {
        let scenario = CrowdScenario(
          people: people, start: Instant(milliseconds: 1_763_971_200_000), duration: .hours(24), seed: 1,
          replica: UInt32(day))
        let truth = try Simulation.truth(world: world, scenario: scenario, model: Mesoscopic())
        stays += truth.people.reduce(0) { $0 + $1.stays.count }
        minutes += Double(people) * 24 * 60
      }
      let spent = cpuSeconds() - ready
      print(
        "mesoscopic: \(people) people, \(days) days, \(world.destinations.count) places, \(Double(stays) / Double(people * days)) stays a person and day, set-up \(ready - begin) CPU-s, \(Int(minutes / spent)) person-minutes per CPU-s"
      )
    } catch {
      print("cannot be run: \(error)")
      exitWithFindings()
    }
  }
}
