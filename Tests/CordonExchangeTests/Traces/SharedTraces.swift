import CordonTestSupport
import Foundation

/// Real recordings that lie beside the project.
enum SharedTraces {
  static let folder = Places.realTraces.path

  /// Every recording, sorted.
  static var files: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".gpx") || $0.hasSuffix(".nmea") }.sorted()
  }
}
