import CordonSimulator

func simulate(path: String) throws {
  let venue = try VenueLoader.load(path: path).venue
  let scenario = Scenario(visitors: 60, duration: .hours(1), seed: 7)
  let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
  print(contents.summary)
}

func walk(path: String, scenario text: String, into folder: String) throws -> Truth {
  let venue = try VenueLoader.load(path: path).venue
  let scenario = try Scenario(parsing: text)
  let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()), threads: 2)
  try RunFolder.prepare(at: folder, replacing: false).write(contents)
  return try Simulation.truth(venue: venue, scenario: scenario)
}
