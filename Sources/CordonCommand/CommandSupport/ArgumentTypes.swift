import ArgumentParser
import CordonCore
import CordonSimulator

/// A duration on the command line; always with its unit.
struct DurationArgument: ExpressibleByArgument, Sendable {
  let span: TimeSpan

  init(_ span: TimeSpan) { self.span = span }

  init?(argument: String) {
    guard let span = TimeSpan(parsing: argument) else { return nil }
    self.span = span
  }

  var defaultValueDescription: String { span.description }
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
