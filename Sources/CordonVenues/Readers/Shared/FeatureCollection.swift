/// The features of a GeoJSON file.
enum FeatureCollection {
  /// Returns the features of a collection, the elements of a bare array (as in the first MVF 2 files), or the single
  /// feature of the file.
  static func features(_ root: JSONView) -> JSONElements {
    if root.isArray { return root.elements }
    if let features = root["features"] { return features.elements }
    return JSONElements(document: root.document, index: root.index, isSingle: root["type"]?.string == "Feature")
  }

  /// Returns the pointer to feature `ordinal`.
  static func pointer(_ root: JSONView, _ ordinal: Int) -> String {
    root.isArray ? "/\(ordinal)" : root["features"] != nil ? "/features/\(ordinal)" : ""
  }
}

extension VenueBundle {
  /// Parses an optional file. A missing file gives `nil`; a broken one gives `nil` and a finding. Remarks of the parser
  /// are reported.
  func optional(_ name: String, findings: inout FindingLog) -> JSONDocument? {
    guard contains(name) else { return nil }
    do throws(VenueError) {
      return try required(name, findings: &findings)
    } catch {
      findings.add(error)
      return nil
    }
  }

  /// Parses a file that the venue requires.
  func required(_ name: String, findings: inout FindingLog) throws(VenueError) -> JSONDocument {
    let document = try document(name)
    for remark in document.remarks {
      let message =
        switch remark.kind {
        case .byteOrderMark: "the file begins with a byte order mark"
        case .trailingComma: "a comma before a closing bracket"
        case .unusableNumber: "a number that is not finite; it counts as missing"
        case .duplicateKey: "a key is there twice; the last one counts"
        }
      findings.add(
        remark.kind == .byteOrderMark ? .info : .warning, remark.kind.rawValue, file: document.file,
        action: remark.kind == .unusableNumber ? .ignored : .repaired, "\(message) (at byte \(remark.offset))")
    }
    return document
  }
}
