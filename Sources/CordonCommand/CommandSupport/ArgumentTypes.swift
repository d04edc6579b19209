import ArgumentParser
import CordonCore
import CordonExchange
import CordonGeometry
import CordonSimulator

/// A duration on the command line; always with its unit: `30s`, `5m`, `1h30m`, `-5h`.
struct DurationArgument: ExpressibleByArgument, Sendable {
  let span: TimeSpan

  init(_ span: TimeSpan) { self.span = span }

  init?(argument: String) {
    guard let span = TimeSpan(parsing: argument) else { return nil }
    self.span = span
  }

  var defaultValueDescription: String { span.description }
}

/// A length on the command line in metres, with or without the unit: `2`, `2m`.
struct DistanceArgument: ExpressibleByArgument, Sendable {
  let metres: Double

  init(_ metres: Double) { self.metres = metres }

  init?(argument: String) {
    let digits = argument.hasSuffix("m") ? argument.dropLast() : argument[...]
    // Neither a hexadecimal number nor an infinite one, which `Double` reads.
    guard let last = digits.last, last.isNumber || last == ".", !digits.lowercased().contains("x"),
      let metres = Double(digits)
    else { return nil }
    self.metres = metres
  }

  var defaultValueDescription: String { metres == metres.rounded() ? "\(Int(metres))m" : "\(metres)m" }
}

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
struct ZoneArgument: ExpressibleByArgument, Sendable {
  let zone: LocalZone

  init?(argument: String) {
    guard let zone = LocalZone(argument) else { return nil }
    self.zone = zone
  }

  var defaultValueDescription: String { zone.name }
}

/// A point in time on the command line: RFC 3339, `2026-01-05T09:00:00Z`.
struct InstantArgument: ExpressibleByArgument, Sendable {
  let instant: Instant

  init(_ instant: Instant) { self.instant = instant }

  init?(argument: String) {
    guard let instant = try? Instant(rfc3339: argument) else { return nil }
    self.instant = instant
  }

  var defaultValueDescription: String { instant.rfc3339 }
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
