struct IMDFWriter {
  init(venue: Venue) throws(VenueError) {}
  func files() -> [VenueFile] { [] }
}
struct GeoJSONVenueWriter {
  let venue: Venue
  func file() -> VenueFile { VenueFile(name: "", bytes: []) }
}
