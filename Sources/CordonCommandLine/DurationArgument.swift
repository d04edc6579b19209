import ArgumentParser
package import CordonCore

/// A duration on the command line, with or without its unit: `90`, `30s`, `5m`, `1h30m`, `-5h`.
package struct DurationArgument: DescribedArgument, Sendable {
  package let span: TimeSpan

  package init(_ span: TimeSpan) { self.span = span }

  package init?(argument: String) {
    guard let span = TimeSpan(parsing: argument) else { return nil }
    self.span = span
  }

  package var defaultValueDescription: String { span.description }

  package static var valueName: String { "duration" }
  package static var forms: String { "a duration: 90 (seconds), 500ms, 30s, 5m, 2h, 1h30m or 1d" }
}
