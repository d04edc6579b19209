import Foundation
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

/// The requirements of IMDF 1.0.0 (OGC 20-094) on an archive, as a table to compare our archives with.
@Suite struct IMDFSchemaTests {
  struct Rule {
    /// Types of geometry that are legal; empty for `null`.
    var geometry: Set<String>
    /// Keys that must be there with a value.
    var required: Set<String>
    /// Keys that must be there, possibly `null`.
    var present: Set<String>
    /// Legal values of `category`; empty when there is none or it is an open list.
    var categories: Set<String> = []
    /// The targets of references, by key.
    var references: [String: String] = [:]
  }

  static let areas: Set<String> = ["Polygon", "MultiPolygon"]
  static let lines: Set<String> = ["LineString", "MultiLineString"]

  static let rules: [String: Rule] = [
    "address": Rule(
      geometry: [], required: ["address", "locality", "country"],
      present: ["province", "unit", "postal_code", "postal_code_ext", "postal_code_vanity"]),
    "venue": Rule(
      geometry: areas, required: ["category", "name", "display_point", "address_id"],
      present: ["restriction", "alt_name", "hours", "phone", "website"],
      categories: ["businesscampus", "shoppingcenter", "museum", "healthcarefacility", "university", "trainstation"],
      references: ["address_id": "address"]),
    "building": Rule(
      geometry: [], required: ["category"], present: ["name", "alt_name", "restriction", "display_point", "address_id"]),
    "footprint": Rule(
      geometry: areas, required: ["category", "building_ids"], present: ["name"],
      categories: ["ground", "aerial", "subterranean"], references: ["building_ids": "building"]),
    "level": Rule(
      geometry: areas, required: ["category", "ordinal", "outdoor", "name", "short_name"],
      present: ["restriction", "display_point", "address_id", "building_ids"],
      references: ["building_ids": "building"]),
    "unit": Rule(
      geometry: areas, required: ["category", "level_id"],
      present: ["restriction", "accessibility", "name", "alt_name", "display_point"],
      categories: Set(IMDFCategories.units.keys).union(IMDFCategories.solidUnits), references: ["level_id": "level"]),
    "opening": Rule(
      geometry: lines, required: ["category", "level_id"],
      present: ["accessibility", "access_control", "door", "name", "alt_name", "display_point"],
      categories: [
        "automobile", "bicycle", "pedestrian", "pedestrian.principal", "pedestrian.transit", "emergencyexit", "service",
      ], references: ["level_id": "level"]),
    "fixture": Rule(
      geometry: areas, required: ["category", "level_id"], present: ["name", "alt_name", "anchor_id", "display_point"],
      categories: ["furniture", "obstruction"], references: ["level_id": "level"]),
    "detail": Rule(geometry: lines, required: ["level_id"], present: [], references: ["level_id": "level"]),
    "amenity": Rule(
      geometry: ["Point"], required: ["category", "unit_ids"],
      present: [
        "accessibility", "name", "alt_name", "hours", "phone", "website", "address_id", "correlation_id",
      ], references: ["unit_ids": "unit"]),
    "anchor": Rule(
      geometry: ["Point"], required: ["unit_id"], present: ["address_id"], references: ["unit_id": "unit"]),
    "occupant": Rule(
      geometry: [], required: ["category", "name", "anchor_id"],
      present: ["hours", "phone", "website", "validity", "correlation_id"], references: ["anchor_id": "anchor"]),
    "relationship": Rule(
      geometry: [], required: ["category", "direction"], present: ["origin", "intermediary", "destination", "hours"],
      categories: ["traversal", "stairs", "elevator", "escalator", "ramp", "movingwalkway"]),
  ]

  @Test(arguments: VenueGenerator.Kind.allCases)
  func everyFeatureFollowsTheTable(kind: VenueGenerator.Kind) throws {
    let venue = try VenueGenerator.generate(kind: kind, floors: 3, area: kind.areaRange.lowerBound * 2, seed: 4)
    let files = try VenueWriter.files(of: venue, as: .imdf)
    let manifest = try object(files, "manifest.json")
    #expect(manifest["version"] as? String == "1.0.0")
    #expect((manifest["created"] as? String)?.hasSuffix("Z") == true)
    #expect(manifest["language"] is String)
    var types: [String: String] = [:]
    var features: [(String, [String: Any])] = []
    for file in files where file.name != "manifest.json" {
      let type = String(file.name.dropLast(".geojson".count))
      for feature in try #require(try object(files, file.name)["features"] as? [[String: Any]]) {
        #expect(feature["feature_type"] as? String == type)
        let id = try #require(feature["id"] as? String)
        #expect(StableUUID.isUUID(id))
        #expect(types.updateValue(type, forKey: id) == nil, "\(id) is there twice")
        features.append((type, feature))
      }
    }
    #expect(features.count { $0.0 == "venue" } == 1)
    for (type, feature) in features {
      let rule = try #require(IMDFSchemaTests.rules[type])
      let properties = try #require(feature["properties"] as? [String: Any])
      let geometry = (feature["geometry"] as? [String: Any])?["type"] as? String
      #expect(geometry.map(rule.geometry.contains) ?? rule.geometry.isEmpty, "\(type) is \(geometry ?? "null")")
      for key in rule.required { #expect(properties[key] != nil && !(properties[key] is NSNull), "\(type).\(key)") }
      for key in rule.present { #expect(properties[key] != nil, "\(type).\(key) is missing") }
      if !rule.categories.isEmpty {
        #expect(rule.categories.contains(properties["category"] as? String ?? ""), "\(properties["category"] ?? "")")
      }
      for (key, target) in rule.references {
        for id in (properties[key] as? [String]) ?? [properties[key] as? String].compactMap({ $0 }) {
          #expect(types[id] == target, "\(type).\(key)")
        }
      }
      for key in ["name", "short_name", "alt_name"] {
        if let name = properties[key], !(name is NSNull) { #expect((name as? [String: String])?.isEmpty == false) }
      }
      if type == "relationship" {
        for key in ["origin", "destination"] {
          let end = try #require(properties[key] as? [String: String])
          #expect(types[end["id"] ?? ""] == end["feature_type"])
        }
      }
      if let point = properties["display_point"], !(point is NSNull) {
        #expect((point as? [String: Any])?["type"] as? String == "Point")
      }
    }
  }

  @Test func identifiersAreStableAndApart() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 400, seed: 1)
    let one = StableUUID.text(.space, "g_0-s0001", in: venue.id)
    #expect(one == StableUUID.text(.space, "g_0-s0001", in: venue.id))
    #expect(one != StableUUID.text(.floor, "g_0-s0001", in: venue.id))
    #expect(StableUUID.text(.space, one.uppercased(), in: venue.id) == one)
    #expect(Array(one)[14] == "8" && "89ab".contains(Array(one)[19]))
  }

  private func object(_ files: [VenueFile], _ name: String) throws -> [String: Any] {
    let file = try #require(files.first { $0.name == name })
    return try #require(try JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any])
  }
}
