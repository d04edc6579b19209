import CordonCore
import Foundation

/// The settings that the app itself keeps: homes, the trip in progress, and the receiver.
struct DiarySettings: Codable, Equatable {
  struct Home: Codable, Equatable {
    var longitude: Double
    var latitude: Double
    var radius: Double
    /// Milliseconds since 1970 at which the person moved in; `nil` for always.
    var from: Int64?
  }

  struct Trip: Codable, Equatable {
    var mode: String
    /// Milliseconds since 1970.
    var start: Int64
  }

  var homes: [Home] = []
  var trip: Trip?
  var receiver: URL?
  var receiverToken: String?

  /// Reads a file; the defaults without one, or when it cannot be read.
  static func read(_ url: URL) -> DiarySettings {
    (try? JSONDecoder().decode(DiarySettings.self, from: Data(contentsOf: url))) ?? DiarySettings()
  }

  func write(_ url: URL) throws {
    try JSONEncoder().encode(self).write(to: url, options: .atomic)
  }
}
