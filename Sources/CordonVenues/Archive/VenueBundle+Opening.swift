extension VenueBundle {
  /// Opens a zip file or a single JSON file in memory.
  static func open(
    bytes: [UInt8], name: String, limits: VenueLimits, findings: inout FindingLog
  ) throws(VenueError) -> VenueBundle {
    guard !bytes.isEmpty else { throw VenueError(code: "empty-bundle", file: name, message: "the file is empty") }
    if ZipArchive.isZip(bytes) { return try openZip(bytes, name: name, limits: limits, findings: &findings) }
    guard bytes.count <= limits.bytesPerFile else {
      throw VenueError(
        code: "limit-exceeded", file: name, message: "has \(bytes.count) bytes; at most \(limits.bytesPerFile) are read"
      )
    }
    let base = name.split(separator: "/").last.map(String.init) ?? name
    return VenueBundle(name: name, files: [(base, bytes)], limits: limits)
  }

  static func openZip(
    _ bytes: [UInt8], name: String, limits: VenueLimits, findings: inout FindingLog
  ) throws(VenueError) -> VenueBundle {
    let archive = try ZipArchive(bytes, file: name, limits: limits)
    var files: [(name: String, bytes: [UInt8])] = []
    var seen: Set<String> = []
    var total = 0
    for entry in archive.entries {
      let inner: String
      switch BundleName.judge(entry.name) {
      case .unsafe:
        throw VenueError(
          code: "unsafe-name", file: name, message: "the entry \(entry.name.debugDescription) leads out of the bundle")
      case .ignored: continue
      case .file(let path): inner = path
      }
      guard !entry.isFolder, BundleName.isMapFile(inner) else { continue }
      if entry.isLink {
        findings.add(.warning, "link-ignored", file: inner, action: .ignored, "a link is not followed")
        continue
      }
      guard !entry.isEncrypted else {
        throw VenueError(code: "unsupported-zip", file: inner, message: "is encrypted")
      }
      guard seen.insert(inner.lowercased()).inserted else {
        throw VenueError(
          code: "duplicate-name", file: inner, message: "the archive has two files of this name; which is meant?")
      }
      // Declared sizes are checked first, so that a declared bomb is not unpacked at all.
      guard entry.size <= limits.bytesPerFile, total + entry.size <= limits.totalBytes else {
        throw tooLarge(inner, limits)
      }
      total += entry.size
      files.append((inner, try ZipInflate.unpack(entry, of: archive, limits: limits)))
    }
    guard !files.isEmpty else {
      throw VenueError(code: "empty-bundle", file: name, message: "the archive holds no JSON or GeoJSON file")
    }
    return VenueBundle(name: name, files: files, limits: limits)
  }

  static func tooLarge(_ file: String, _ limits: VenueLimits) -> VenueError {
    VenueError(
      code: "limit-exceeded", file: file,
      message: "unpacks to more than \(limits.bytesPerFile) bytes, or the bundle to more than \(limits.totalBytes)")
  }
}
