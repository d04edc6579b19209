public import CordonCore

extension PackedVenueError: CordonError {
  /// The action that resolves the error.
  public var remedy: String {
    switch reason {
    case .notAPackedVenue: "Pack the map first: cordon venue pack MAP -o venue.cvp."
    case .unsupportedVersion: "Update the app, or pack the map with the version of Cordon that the app was built with."
    case .truncated, .trailingBytes, .corrupted:
      "Copy or download the file again; if that does not help, pack the map again."
    case .invalidValue, .danglingReference:
      byteOffset == nil
        ? "Correct the map: cordon venue validate lists what is wrong." : "Pack the map again with cordon venue pack."
    }
  }
}

extension GeofenceError: CordonError {
  /// The action that resolves the error.
  public var remedy: String {
    switch self {
    case .emptyBoundary: "Choose another boundary, or draw one (--boundary-polygon)."
    case .invalidCoordinate: "Correct the map: cordon venue validate lists what is wrong."
    case .tooLarge: "Check the map's coordinates; for a venue of that size raise the maximum radius."
    }
  }
}
