struct IMDFWriter {
  init(venue: Venue) throws(VenueError) {}
  func files() -> [VenueFile] { [] }
}
