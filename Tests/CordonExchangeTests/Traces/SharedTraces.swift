import Foundation

/// Real recordings that lie beside the project.
enum SharedTraces {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let folder = root.deletingLastPathComponent().appendingPathComponent("shared/traces").path
  static let isThere = FileManager.default.fileExists(atPath: folder)

  /// Every recording, sorted.
  static var files: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".gpx") || $0.hasSuffix(".nmea") }.sorted()
  }
}
