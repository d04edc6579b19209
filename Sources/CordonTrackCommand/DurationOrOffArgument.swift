import ArgumentParser
import CordonCommandLine
import CordonCore

/// A duration on the command line, or `off`.
struct DurationOrOffArgument: DescribedArgument, Sendable {
  /// The duration; `nil` for `off`.
  let span: TimeSpan?

  init(_ span: TimeSpan?) { self.span = span }

  init?(argument: String) {
    if argument == "off" {
      span = nil
    } else {
      guard let duration = DurationArgument(argument: argument) else { return nil }
      span = duration.span
    }
  }

  var defaultValueDescription: String { span?.description ?? "off" }

  static var valueName: String { "duration|off" }
  static var forms: String { "a duration such as 30s, or off" }
}
