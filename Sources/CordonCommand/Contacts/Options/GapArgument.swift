import ArgumentParser
import CordonCommandLine
import CordonCore

/// The longest time between two fixes that are joined, or that it is to be chosen by the input.
enum GapArgument: DescribedArgument, Sendable {
  case span(TimeSpan)
  case auto

  init?(argument: String) {
    if argument == "auto" {
      self = .auto
    } else if let span = TimeSpan(parsing: argument) {
      self = .span(span)
    } else {
      return nil
    }
  }

  static var valueName: String { "duration|auto" }
  static var forms: String { "a duration such as 30s, or auto" }

  /// So many times the usual time between two fixes is the gap of `auto`: one or two fixes may be missing.
  static let defaultIntervals: Int64 = 3
}
