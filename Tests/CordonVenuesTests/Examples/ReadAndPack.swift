import CordonVenues

func readAndPack(path: String) throws -> [UInt8] {
  let loaded = try VenueLoader.load(path: path)
  for finding in loaded.findings { print(finding) }

  var recording = RecordingPolicy()
  recording.floorOnlyKinds.insert(.office)
  let packed = try loaded.venue.packed(boundary: .buildings, recording: recording)
  return try packed.encode()
}

func walkingDistance(path: String) throws {
  let venue = try VenueLoader.load(path: path).venue
  let plan = try VenuePlan(venue)
  for floor in plan.floors { print(floor.id, floor.walls.count, "walls") }
}
