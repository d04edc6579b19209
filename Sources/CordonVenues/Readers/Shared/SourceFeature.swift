import CordonCore

/// A feature with its identifier, properties and shape.
struct SourceFeature {
  var value: JSONView
  /// The properties; the feature itself if it has none, as in the first MVF 2 bundles.
  var fields: JSONView
  var id: String
  var file: String
  var pointer: String
  var shape: RawShape

  /// Returns the text of a property; empty if it is missing.
  func text(_ key: StaticString) -> String { fields[key]?.string ?? "" }

  /// Returns the elements of a list among the properties.
  func list(_ key: StaticString) -> [JSONView] { fields[key]?.elements.map { $0 } ?? [] }

  /// Returns the features of a file that have an identifier; others are reported.
  static func all(
    of document: JSONDocument, limits: VenueLimits, _ findings: inout FindingLog
  ) throws(VenueError) -> [SourceFeature] {
    let shapes = ShapeReader(document, limits: limits)
    var features: [SourceFeature] = []
    for (ordinal, value) in FeatureCollection.features(document.root).enumerated() {
      let pointer = FeatureCollection.pointer(document.root, ordinal)
      let fields = value["properties"].flatMap { $0.isObject ? $0 : nil } ?? value
      guard let id = (fields["id"] ?? value["id"])?.identifier else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: pointer, action: .ignored,
          "the feature has no identifier")
        continue
      }
      let shape = try shapes.shape(of: value, owner: .init(object: id, pointer: pointer), findings: &findings)
      features.append(
        SourceFeature(value: value, fields: fields, id: id, file: document.file, pointer: pointer, shape: shape))
    }
    return features
  }
}

extension FindingLog {
  /// Reports a finding about a feature; `path` is relative to the feature's pointer.
  package mutating func add(
    _ severity: VenueFinding.Severity, _ code: String, _ feature: SourceFeature, _ path: @autoclosure () -> String,
    _ action: VenueFinding.Action, _ message: @autoclosure () -> String
  ) {
    add(
      severity, code, file: feature.file, pointer: feature.pointer + path(), object: feature.id, action: action,
      message())
  }
}
