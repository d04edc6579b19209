import CordonVenues

/// GeoJSON texts for tests, in steps of a metre or so round (8, 47).
enum Drawing {
  static let step = 1e-5

  static func at(_ x: Double, _ y: Double) -> String { "[\(8 + x * step),\(47 + y * step)]" }

  static func ring(_ places: [(Double, Double)]) -> String {
    "[" + (places + places.prefix(1)).map { at($0.0, $0.1) }.joined(separator: ",") + "]"
  }

  /// A counter-clockwise box.
  static func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> String {
    #"{"type":"Polygon","coordinates":[\#(ring([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))]}"#
  }

  static func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> String {
    #"{"type":"LineString","coordinates":[\#(at(x0, y0)),\#(at(x1, y1))]}"#
  }

  static func point(_ x: Double, _ y: Double) -> String { #"{"type":"Point","coordinates":\#(at(x, y))}"# }

  /// A feature; `extra` are members beside geometry and properties, each with a comma before.
  static func feature(_ geometry: String, _ properties: String, _ extra: String = "") -> String {
    #"{"type":"Feature","geometry":\#(geometry),"properties":{\#(properties)}\#(extra)}"#
  }

  static func collection(_ features: [String]) -> String {
    #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  static func load(_ files: [String: String], options: VenueReadOptions = VenueReadOptions()) throws(VenueError)
    -> LoadedVenue
  {
    try VenueLoader.load(bytes: ZipBuilder.zip(files), name: "test.zip", options: options)
  }

  static func load(text: String, options: VenueReadOptions = VenueReadOptions()) throws(VenueError) -> LoadedVenue {
    try VenueLoader.load(bytes: Array(text.utf8), name: "test.geojson", options: options)
  }
}

extension LoadedVenue {
  func count(_ code: String) -> Int { findings.count { $0.code == code } }
  func findings(_ code: String) -> [VenueFinding] { findings.filter { $0.code == code } }
}
