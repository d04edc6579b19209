internal import CordonConsole
internal import CordonCore
internal import CordonIngest
internal import CordonVenues

extension ServerCheck {
  /// Reads all bundles as the server does; returns the catalog as well, `nil` without one.
  func venueFindings() -> (findings: [DiagnosisFinding], catalog: VenueCatalog?) {
    guard let path = files.venues else { return ([], nil) }
    func finding(_ level: DiagnosisFinding.Level, _ code: String, _ sentence: String, _ remedy: String? = nil)
      -> DiagnosisFinding
    { DiagnosisFinding(level, "venues", code, sentence, remedy: remedy) }
    guard Self.isFolder(path) else {
      return (
        [finding(.failure, "no-folder", "There is no folder \(path).", "Make it, and put venue bundles into it.")], nil
      )
    }
    let catalog: VenueCatalog
    let refused: [VenueCatalog.Refused]
    do {
      (catalog, refused) = try VenueFolder(path).load()
    } catch {
      return ([finding(.failure, "two-bundles", "\(error).", "Move all but one of them out of the folder.")], nil)
    }
    var findings = refused.map {
      // Some reasons begin with the path already.
      let sentence = $0.reason.hasPrefix($0.path) ? $0.reason : "\($0.path): \($0.reason)"
      return finding(.failure, "bundle-refused", "\(sentence).", "Run: cordon venue validate \($0.path).")
    }
    for id in catalog.ids {
      guard let venue = catalog.venues[id] else { continue }
      for found in venue.findings {
        findings.append(
          finding(.warning, found.code, "\(id): \(found.message)", "Mend the map; see docs/how-to/mend-a-map.md."))
      }
    }
    if catalog.ids.isEmpty {
      findings.append(
        finding(.failure, "no-venue", "\(path) has no venue that can be served.", "Put a venue bundle into it."))
    } else {
      let names = catalog.ids.prefix(5).map(\.rawValue).joined(separator: ", ")
      let more = catalog.ids.count > 5 ? " and \(catalog.ids.count - 5) more" : ""
      findings.append(finding(.ok, "venues", "Venues are served: \(names)\(more)."))
    }
    return (findings, catalog)
  }
}
