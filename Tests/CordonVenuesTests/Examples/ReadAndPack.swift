import CordonVenues

func readAndPack(path: String) throws -> [UInt8] {
  let loaded = try VenueLoader.load(path: path)
  for finding in loaded.findings { print(finding) }

  var recording = RecordingPolicy()
  recording.floorOnlyKinds.insert(.office)
  let packed = try loaded.venue.packed(boundary: .buildings, recording: recording)
  return try packed.encode()
}
