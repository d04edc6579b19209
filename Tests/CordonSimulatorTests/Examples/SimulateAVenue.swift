import CordonSimulator

func simulate(path: String) throws {
  let venue = try VenueLoader.load(path: path).venue
  let scenario = Scenario(visitors: 60, duration: .hours(1), seed: 7)
  let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
  print(contents.summary)
}
