/// The manifest of all three generations of MVF: one feature with the version in its properties.
struct MVFManifest {
  let feature: JSONView
  let properties: JSONView
  let version: String?

  /// Reads `manifest.geojson`; returns `nil` if it is missing, broken or something else.
  init?(_ bundle: VenueBundle) {
    guard let document = try? bundle.document("manifest.geojson") else { return nil }
    let root = document.root
    let feature = root["features"]?.elements.first { _ in true } ?? (root["properties"] == nil ? nil : root)
    guard let feature, let properties = feature["properties"], properties.isObject else { return nil }
    self.feature = feature
    self.properties = properties
    version = properties["version"]?.identifier
  }

  /// The first number of the version.
  var major: Int? {
    version.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// Returns the names in an index, with files of folders as `folder/file`.
  static func indexed(_ index: JSONView?, limit: Int) -> [(name: String, pointer: String)] {
    var names: [(name: String, pointer: String)] = []
    func walk(_ list: JSONView, _ prefix: String, _ pointer: String) {
      for (ordinal, entry) in list.elements.enumerated() where names.count < limit {
        guard let name = entry["name"]?.string else { continue }
        if let children = entry["children"] {
          walk(children, prefix + name + "/", "\(pointer)/\(ordinal)/children")
        } else {
          names.append((prefix + name, "\(pointer)/\(ordinal)"))
        }
      }
    }
    if let index { walk(index, "", "") }
    return names
  }

  /// Reports differences between the index and the files of the bundle. The index has no other use.
  func compareIndex(_ key: StaticString, with bundle: VenueBundle, findings: inout FindingLog) {
    let listed = MVFManifest.indexed(properties[key], limit: bundle.limits.entries)
    guard !listed.isEmpty else { return }
    var names: Set<String> = ["manifest.geojson"]
    for (name, pointer) in listed {
      if let actual = bundle.resolve(name) {
        names.insert(actual)
      } else {
        findings.add(
          .warning, "index-lists-absent-file", file: "manifest.geojson",
          pointer: "/features/0/properties/\(key)\(pointer)", object: name, action: .ignored,
          "the index lists a file that the bundle does not have")
      }
    }
    for name in bundle.names where !names.contains(name) {
      findings.add(
        .info, "index-omits-file", file: name, object: name, action: .ignored,
        "the bundle has a file that its index does not list; it is read all the same")
    }
  }
}
