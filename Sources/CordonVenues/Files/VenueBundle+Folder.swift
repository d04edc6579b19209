extension VenueBundle {
  /// Opens a folder, a zip file or a single JSON file.
  /// - Throws: `VenueError` with the code `not-found`, `unreadable`, `limit-exceeded`, `malformed-zip`,
  ///   `unsupported-zip`, `unsafe-name`, `duplicate-name` or `empty-bundle`.
  static func open(
    path: String, limits: VenueLimits, findings: inout FindingLog
  ) throws(VenueError) -> VenueBundle {
    switch FileAccess.kind(of: path, followingLinks: true) {
    case .folder: return try openFolder(path, limits: limits, findings: &findings)
    case nil: throw VenueError(code: "not-found", file: path, message: "no such file or folder")
    default:
      let bytes = try FileAccess.read(path, atMost: limits.totalBytes)
      return try open(bytes: bytes, name: path, limits: limits, findings: &findings)
    }
  }

  private static func openFolder(
    _ path: String, limits: VenueLimits, findings: inout FindingLog
  ) throws(VenueError) -> VenueBundle {
    var files: [(name: String, bytes: [UInt8])] = []
    var archives: [String] = []
    var total = 0
    for (name, kind) in try FileAccess.list(path, atMost: limits.entries) {
      if kind == .file, !name.contains("/"), name.lowercased().hasSuffix(".zip") { archives.append(name) }
      guard case .file(let inner) = BundleName.judge(name), BundleName.isMapFile(inner), kind != .folder else {
        continue
      }
      guard kind == .file else {
        findings.add(
          .warning, "link-ignored", file: inner, action: .ignored, "a link or special file is not followed")
        continue
      }
      let bytes = try FileAccess.read(path + "/" + name, atMost: limits.bytesPerFile)
      total += bytes.count
      guard total <= limits.totalBytes else { throw tooLarge(path, limits) }
      files.append((inner, bytes))
    }
    guard !files.isEmpty else {
      // A folder with exactly one archive, perhaps with a note or a licence beside it, stands for that archive.
      if let archive = archives.first, archives.count == 1 {
        let file = path + "/" + archive
        return try openZip(
          FileAccess.read(file, atMost: limits.totalBytes), name: file, limits: limits, findings: &findings)
      }
      let what = archives.isEmpty ? "no JSON or GeoJSON file" : "\(archives.count) archives; which is meant?"
      throw VenueError(code: "empty-bundle", file: path, message: "the folder holds \(what)")
    }
    return VenueBundle(name: path, files: files, limits: limits)
  }
}
