import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonExchange
import CordonGeometry
import CordonSimulator
import CordonSupport

/// A floor on the command line: its ordinal, short name, name or identifier.
struct FloorArgument: ExpressibleByArgument, Sendable {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// The floor as an ordinal, when it is one.
  var ordinal: FloorOrdinal? { Double(text).flatMap { FloorOrdinal($0) } }
}

/// A time zone on the command line: `Europe/Berlin`, `UTC`, `+02:00`.
struct ZoneArgument: DescribedArgument, Sendable {
  let zone: LocalZone

  init?(argument: String) {
    guard let zone = LocalZone(argument) else { return nil }
    self.zone = zone
  }

  var defaultValueDescription: String { zone.name }

  static var valueName: String { "zone" }
  static var forms: String { "a time zone, by name or offset: Europe/Berlin, UTC or +02:00" }
}

/// A point in time on the command line: RFC 3339, `2026-01-05T09:00:00Z`.
struct InstantArgument: DescribedArgument, Sendable {
  let instant: Instant

  init(_ instant: Instant) { self.instant = instant }

  init?(argument: String) {
    guard let instant = try? Instant(rfc3339: argument) else { return nil }
    self.instant = instant
  }

  var defaultValueDescription: String { instant.rfc3339 }

  static var valueName: String { "time" }
  static var forms: String { "a time in RFC 3339: 2026-01-05T09:00:00Z" }
}

/// A named error model of phones on the command line.
struct PresetArgument: ExpressibleByArgument, Sendable {
  let preset: PhonePreset

  init(_ preset: PhonePreset) { self.preset = preset }

  init?(argument: String) {
    guard let preset = PhonePreset(rawValue: argument) else { return nil }
    self.preset = preset
  }

  var defaultValueDescription: String { preset.rawValue }

  static var allValueStrings: [String] { PhonePreset.allCases.map(\.rawValue) }
}

/// When a phone makes fixes, on the command line.
struct SamplingArgument: ExpressibleByArgument, Sendable {
  let sampling: PhoneSetup.Sampling

  init?(argument: String) {
    guard let sampling = PhoneSetup.Sampling(argument) else { return nil }
    self.sampling = sampling
  }
}
