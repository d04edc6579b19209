import CordonCore
import CordonGeometry
import CordonVenues
import Testing

/// IMDF 1.0.0 and its betas.
struct IMDFTests {
  static func feature(_ type: String, _ id: String, _ geometry: String, _ properties: String) -> String {
    Drawing.feature(geometry, properties, #","id":"\#(id)","feature_type":"\#(type)""#)
  }

  static var files: [String: String] {
    func file(_ features: [String]) -> String { Drawing.collection(features) }
    return [
      "manifest.json": #"{"version":"1.0.0","created":"2024-01-01T00:00:00Z","language":"en"}"#,
      "address.geojson": file([
        feature("address", "ad", "null", #""address":"Main St 1","locality":"Town","country":"CH""#)
      ]),
      "venue.geojson": file([
        feature(
          "venue", "ve", Drawing.box(-5, -5, 30, 15),
          #""name":{"en":"Mall","de":"Zentrum"},"category":"shoppingcenter","display_point":\#(Drawing.point(5, 5)),"address_id":"ad""#
        )
      ]),
      "building.geojson": file([feature("building", "bu", "null", #""name":{"en":"East"},"category":"unspecified""#)]),
      "footprint.geojson": file([
        feature("footprint", "f1", Drawing.box(0, 0, 20, 10), #""category":"ground","building_ids":["bu","bx"]"#),
        feature("footprint", "f2", Drawing.box(0, 0, 40, 40), #""category":"aerial","building_ids":["bu"]"#),
      ]),
      "level.geojson": file([
        feature(
          "level", "l0", Drawing.box(0, 0, 20, 10),
          #""category":"unspecified","ordinal":0,"outdoor":false,"name":{"en":"Ground"},"short_name":{"en":"G"},"building_ids":["bu"]"#
        ),
        feature(
          "level", "l1", Drawing.box(0, 0, 20, 10),
          #""category":"unspecified","ordinal":1,"outdoor":false,"name":{"en":"Upper"},"short_name":{"en":"1"},"building_ids":["bu"]"#
        ),
        feature(
          "level", "lo", Drawing.box(-5, -5, 30, 15),
          #""ordinal":1,"outdoor":true,"name":{},"short_name":{},"building_ids":null"#),
      ]),
      "unit.geojson": file([
        feature("unit", "u1", Drawing.box(0, 0, 10, 10), #""category":"room","level_id":"l0","name":null"#),
        feature("unit", "u2", Drawing.box(10, 0, 20, 10), #""category":"walkway","level_id":"l0""#),
        feature("unit", "st0", Drawing.box(12, 1, 14, 5), #""category":"stairs","level_id":"l0""#),
        feature("unit", "st1", Drawing.box(12, 1, 14, 5), #""category":"stairs","level_id":"l1""#),
        feature("unit", "el0", Drawing.box(16, 1, 18, 3), #""category":"elevator","level_id":"l0""#),
        feature("unit", "el1", Drawing.box(16, 1, 18, 3), #""category":"elevator","level_id":"l1""#),
        feature("unit", "es0", Drawing.box(12, 6, 14, 9), #""category":"escalator","level_id":"l0""#),
        feature("unit", "es1", Drawing.box(15, 6, 17, 9), #""category":"escalator","level_id":"l1""#),
        feature("unit", "wc", Drawing.box(0, 0, 5, 5), #""category":"restroom.female","level_id":"l1""#),
        feature("unit", "wall", Drawing.box(9.9, 0, 10.1, 3), #""category":"brick","level_id":"l0""#),
        feature("unit", "odd", Drawing.box(5, 0, 9, 5), #""category":"holodeck","level_id":"l1""#),
        feature("unit", "lost", Drawing.box(5, 0, 9, 5), #""category":"room","level_id":"l7""#),
        feature("unit", "dot", Drawing.point(5, 5), #""category":"room","level_id":"l1""#),
      ]),
      "opening.geojson": file([
        feature("opening", "o1", Drawing.line(10, 4, 10, 5), #""category":"pedestrian","level_id":"l0""#),
        feature("opening", "o2", Drawing.line(0, 4, 0, 5), #""category":"pedestrian.principal","level_id":"l0""#),
        feature("opening", "o3", Drawing.line(5, 0, 5, 1), #""category":"pedestrian","level_id":"l1""#),
      ]),
      "fixture.geojson": file([
        feature("fixture", "fx", Drawing.box(1, 1, 2, 2), #""category":"furniture","level_id":"l0""#)
      ]),
      "kiosk.geojson": file([feature("kiosk", "ki", Drawing.box(3, 1, 4, 2), #""level_id":"l0","name":{"en":"Info"}"#)]
      ),
      "anchor.geojson": file([
        feature("anchor", "an", Drawing.point(5, 5), #""unit_id":"u1""#),
        feature("anchor", "an2", Drawing.point(5, 5), #""unit_id":"u9""#),
      ]),
      "amenity.geojson": file([
        feature(
          "amenity", "am", Drawing.point(2, 2),
          #""category":"restroom","unit_ids":["wc","u9"],"name":{"en":"WC"},"hours":"Mo-Fr 08:00-18:00""#),
        feature(
          "amenity", "e0", Drawing.point(17, 2), #""category":"elevator","unit_ids":["el0"],"correlation_id":"x""#),
        feature(
          "amenity", "e1", Drawing.point(17, 2), #""category":"elevator","unit_ids":["el1"],"correlation_id":"x""#),
      ]),
      "occupant.geojson": file([
        feature(
          "occupant", "oc", "null", #""category":"restaurant","name":{"en":"Noodles"},"anchor_id":"an","hours":"Mo-Su""#
        ),
        feature("occupant", "oc2", "null", #""category":"shop","name":{"en":"Lost"},"anchor_id":"gone""#),
        feature("occupant", "oc3", "null", #""category":"shop","name":{"en":"Adrift"},"anchor_id":"an2""#),
      ]),
      "relationship.geojson": file([
        feature(
          "relationship", "r1", "null",
          #""category":"escalator","direction":"directed","origin":{"id":"es0","feature_type":"unit"},"intermediary":null,"destination":{"id":"es1","feature_type":"unit"}"#
        ),
        feature(
          "relationship", "r2", "null",
          #""category":"traversal","direction":"directed","origin":{"id":"wc","feature_type":"unit"},"intermediary":[{"id":"o3","feature_type":"opening"}],"destination":{"id":"odd","feature_type":"unit"}"#
        ),
        feature(
          "relationship", "r3", "null",
          #""category":"ramp","direction":"undirected","origin":{"id":"gone"},"destination":{"id":"o1","feature_type":"opening"}"#
        ),
      ]),
    ]
  }

  @Test func everyFeatureTypeIsRead() throws {
    let loaded = try Drawing.load(Self.files)
    let venue = loaded.venue
    #expect(venue.format == .imdf && venue.formatVersion == "1.0.0" && venue.name.text(in: "de") == "Zentrum")
    #expect(venue.outline != nil && venue.buildings.count == 1)
    // Only ground footprints are outlines.
    #expect(venue.buildings[0].outline?.polygons.count == 1)
    #expect(
      venue.floors.map(\.id.rawValue) == ["l0", "l1", "lo"] && venue.floors[2].isOutdoor
        && venue.floors[2].building == nil)
    #expect(venue.walls.map(\.id) == ["wall"] && venue.furniture.map(\.id) == ["fx", "ki"])
    let kinds = Dictionary(uniqueKeysWithValues: venue.spaces.map { ($0.id.rawValue, $0.kind) })
    #expect(
      kinds["u1"] == .restaurant && kinds["u2"] == .corridor && kinds["wc"] == .restroom && kinds["odd"] == .unknown)
    #expect(kinds["lost"] == nil && kinds["dot"] == nil)
    #expect(venue.spaces.first { $0.id.rawValue == "u1" }?.name.text() == "Noodles")
    #expect(loaded.count("unknown-kind") == 1 && loaded.count("space-without-area") == 1)
    #expect(loaded.count("dangling-reference") == 5)
    #expect(venue.id.rawValue == "mall")
  }

  @Test func openingsAreJoinedByGeometryOrByTraversal() throws {
    let openings = Dictionary(uniqueKeysWithValues: try Drawing.load(Self.files).venue.openings.map { ($0.id, $0) })
    #expect(openings["o1"]?.spaces.map(\.rawValue) == ["u1", "u2"] && openings["o1"]?.isEntrance == false)
    #expect(openings["o2"]?.spaces.map(\.rawValue) == ["u1"] && openings["o2"]?.isEntrance == true)
    #expect(openings["o3"]?.spaces.map(\.rawValue) == ["odd", "wc"] && openings["o3"]?.isTwoWay == false)
  }

  @Test func connectionsComeFromRelationshipsAmenitiesAndStacks() throws {
    let loaded = try Drawing.load(Self.files)
    let connections = Dictionary(uniqueKeysWithValues: loaded.venue.connections.map { ($0.id, $0) })
    #expect(connections["r1"]?.kind == .escalator && connections["r1"]?.isTwoWay == false)
    #expect(connections["r1"]?.landings.map(\.isEntry) == [true, false])
    #expect(
      connections["e0"]?.kind == .elevator
        && connections["e0"]?.landings.compactMap(\.space?.rawValue) == ["el0", "el1"])
    #expect(connections["stack:st0"]?.landings.compactMap(\.space?.rawValue) == ["st0", "st1"])
    #expect(
      connections.count == 3 && loaded.count("connections-derived") == 1
        && loaded.count("connection-without-place") == 1)
  }

  @Test func occupantsAreAtTheirAnchor() throws {
    let points = Dictionary(
      uniqueKeysWithValues: try Drawing.load(Self.files).venue.pointsOfInterest.map { ($0.id, $0) })
    #expect(
      points["oc"]?.spaces == [SpaceID("u1")] && points["oc"]?.floor == FloorID("l0")
        && points["oc"]?.openingHours == "Mo-Su")
    #expect(points["oc2"]?.position == nil && points["oc3"]?.position != nil && points["oc3"]?.floor == nil)
    #expect(points["am"]?.spaces == [SpaceID("wc")])
  }

  @Test(arguments: ["1.0.0.beta.2", "1.0.0-rc1"])
  func betaVersionsAreReadAndReported(version: String) throws {
    var files = Self.files
    files["manifest.json"] = #"{"version":"\#(version)","created":"2019-01-01T00:00:00","language":"en-US"}"#
    let loaded = try Drawing.load(files)
    #expect(
      loaded.venue.format == .imdf && loaded.venue.formatVersion == version && loaded.count("version-not-final") == 1)
  }

  @Test func filesAreIdentifiedByContent() throws {
    var files = Self.files
    files["manifest.json"] = nil
    files["rooms.json"] = files.removeValue(forKey: "unit.geojson")
    let loaded = try Drawing.load(files)
    #expect(loaded.venue.format == .imdf && loaded.count("manifest-missing") == 1 && loaded.venue.spaces.count == 10)
  }

  @Test func levelsOfASingleBuildingNeedNotNameIt() throws {
    var files = Self.files
    files["level.geojson"] = Drawing.collection([
      Self.feature(
        "level", "l0", Drawing.box(0, 0, 20, 10), #""outdoor":false,"name":"Plain text","short_name":{"en":"G"}"#),
      Self.feature("level", "l1", Drawing.box(0, 0, 20, 10), #""ordinal":1,"building_ids":["gone"]"#),
    ])
    let loaded = try Drawing.load(files)
    #expect(
      loaded.venue.floors.allSatisfy { $0.building == "bu" } && loaded.venue.floors[0].name.text() == "Plain text")
    #expect(loaded.count("floor-without-ordinal") == 1)
  }

  /// Sections, geofences and details beside the fixture.
  static var zoned: [String: String] {
    var files = files
    files["section.geojson"] = Drawing.collection([
      feature(
        "section", "se", Drawing.box(0, 0, 10, 5), #""category":"eatingdrinking","name":{"en":"Food"},"level_id":"l0""#),
      feature("section", "sx", Drawing.box(0, 0, 10, 5), #""category":"eatingdrinking","level_id":"l9""#),
      feature("section", "sp", Drawing.point(0, 0), #""category":"eatingdrinking","level_id":"l0""#),
    ])
    files["geofence.geojson"] = Drawing.collection([
      feature("geofence", "gf", Drawing.box(0, 0, 20, 10), #""category":"paidarea","level_ids":["l1","l0","l9"]"#),
      feature("geofence", "ga", Drawing.box(0, 0, 20, 10), #""category":"concourse","level_ids":null"#),
    ])
    files["detail.geojson"] = Drawing.collection([
      feature("detail", "d1", Drawing.line(1, 1, 2, 2), #""level_id":"l0""#),
      feature("detail", "d9", Drawing.line(1, 1, 2, 2), #""level_id":"l9""#),
    ])
    return files
  }

  @Test func sectionsGeofencesAndDetailsAreZonesAndAnnotations() throws {
    let loaded = try Drawing.load(Self.zoned)
    let zones = loaded.venue.zones
    #expect(zones.map(\.id) == ["ga", "gf", "se"])
    #expect(zones.map { $0.floors.map(\.rawValue) } == [[], ["l0", "l1"], ["l0"]])
    #expect(zones.map(\.sourceKind) == ["concourse", "paidarea", "eatingdrinking"])
    #expect(zones[2].name.text() == "Food")
    #expect(loaded.venue.annotations.map(\.id) == ["d1"] && loaded.venue.annotations[0].lines.map(\.count) == [2])
    let dangling = loaded.findings("dangling-reference")
    #expect(dangling.contains { $0.object == "gf" && $0.pointer == "/features/0/properties/level_ids/2" })
    #expect(dangling.contains { $0.object == "sx" } && dangling.contains { $0.object == "d9" })
  }
}
