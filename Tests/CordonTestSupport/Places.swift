package import Foundation

/// Files and folders that tests read.
package enum Places {
  /// The root of the package.
  package static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// The sample office.
  package static let office = file("venues/office.mvf.zip").path
  /// Real data beside the checkout, which is not part of the project.
  package static let shared = package.deletingLastPathComponent().appendingPathComponent("shared")
  /// Real venue bundles.
  package static let realVenues = shared.appendingPathComponent("venues")
  /// Whether there are real venue bundles.
  package static let hasRealVenues = FileManager.default.fileExists(atPath: realVenues.path)
  /// Measured data.
  package static let realData = shared.appendingPathComponent("realdata")
  /// Whether there is measured data.
  package static let hasRealData = FileManager.default.fileExists(atPath: realData.path)
  /// Recorded traces.
  package static let realTraces = shared.appendingPathComponent("traces")
  /// Whether there are recorded traces.
  package static let hasRealTraces = FileManager.default.fileExists(atPath: realTraces.path)

  /// A file of the package, by its path below the root.
  package static func file(_ path: String) -> URL { package.appendingPathComponent(path) }

  /// The text of a file of the package.
  package static func text(_ path: String) throws -> String { try String(contentsOf: file(path), encoding: .utf8) }
}
