import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonMonitoring
import Foundation

extension ReplayRunCommand {
  /// The file that stands for standard input in commands that repeat this one: its contents are gone.
  static let savedInput = "SAVED-INPUT"

  /// Whether the traces came from standard input.
  var readsStandardInput: Bool { traces.contains("-") }

  /// The command that repeats one expectation: every option that can change what is decided. A sink in this process and
  /// the speed cannot; an invite code is a secret, and used up.
  func repeating(_ name: String) -> String {
    var words =
      ["cordon", "replay"] + traces + ["--venue", venue ?? ""] + overlay.words + reading.words + assumptions.words
    words += boundary.words + geofence.words
    if case .server = sink {
      words += ["--sink", sink.defaultValueDescription, "--speed", speed.defaultValueDescription]
      if invite != nil { words += ["--invite", "CODE"] }
    }
    if store != .memory { words += ["--store", store.rawValue] }
    if thinning.span != MonitorConfiguration().thinning { words += ["--thinning", "\(thinning.span)"] }
    if maximumAccuracy.metres != MonitorConfiguration().maximumAccuracy {
      words += ["--maximum-accuracy", "\(maximumAccuracy.metres)"]
    }
    if fileOrder { words.append("--file-order") }
    if acceptMocked { words.append("--accept-mocked") }
    if distance.metres != 2 { words += ["--distance", "\(distance.metres)"] }
    if maximumGap.span != .seconds(30) { words += ["--maximum-gap", "\(maximumGap.span)"] }
    if let expect { words += ["--expect", expect] }
    words += ["--only", name]
    let command = words.map(ReplayRunCommand.quoted).joined(separator: " ")
    return readsStandardInput ? command + " < " + ReplayRunCommand.savedInput : command
  }

  /// A word as a shell takes it.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2F, 0x5F, 0x2D, 0x3A, 0x2C, 0x3D, 0x2B: true
      default: false
      }
    }
    return plain && !word.isEmpty ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}

extension BoundaryOptions {
  /// The options again, for a command that repeats this one.
  var words: [String] {
    var words: [String] = []
    if boundary != .buildings { words += ["--boundary", boundary.rawValue] }
    if let boundaryPolygon { words += ["--boundary-polygon", boundaryPolygon] }
    return words
  }
}

extension GeofenceOptions {
  /// The options again, for a command that repeats this one.
  var words: [String] {
    let usual = GeofencePolicy()
    var words: [String] = []
    for (option, value, usual) in [
      ("--padding", padding, usual.padding), ("--minimum-radius", minimumRadius, usual.minimumRadius),
      ("--exit-hysteresis", exitHysteresis, usual.exitHysteresis),
      ("--maximum-radius", maximumRadius, usual.maximumRadius),
    ] where value.metres != usual { words += [option, "\(value.metres)"] }
    return words
  }
}
