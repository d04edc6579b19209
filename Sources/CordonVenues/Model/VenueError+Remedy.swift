public import CordonCore

extension VenueError: CordonError {
  /// The action that resolves the error. docs/reference/venue-findings.md lists the codes.
  public var remedy: String {
    switch code {
    case "not-found", "unreadable": "Check the path and the permissions of the file."
    case "not-a-venue", "empty-bundle": "Give a map in one of the known formats: MVF 1 to 3, IMDF, WRLD, GeoJSON."
    case "limit-exceeded": "Split the map, or raise the limit in VenueLimits."
    case "no-polygon", "invalid-boundary": "Choose another boundary, or draw one (--boundary-polygon)."
    case "unknown-space": "Check the identifier: cordon venue info lists the spaces that are not recorded in full."
    case "walls-not-built": "Correct the floors, or pack without walls: Venue.packing reports what it leaves out."
    case "geofence": "Check the map's coordinates and the geofence's options."
    case "not-writable": "Choose another format to write."
    case "truncated-json", "malformed-zip": "Copy or export the bundle again."
    default: "Correct the map at that place; cordon venue validate lists everything that is wrong with it."
    }
  }
}
