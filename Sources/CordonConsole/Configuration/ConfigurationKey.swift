package import CordonCore
import CordonSupport

/// A key of a configuration: its name, its meaning, and the reading of its value.
///
/// A function that reads a value throws a message without the name of the key, which the reader adds.
package struct ConfigurationKey<Target> {
  package var name: String
  package var help: String
  /// Whether the value is not printed.
  package var isSecret = false
  /// Returns the value as text; `nil` when it is not set.
  package var shown: (Target) -> String?
  package var set: (inout Target, String) throws(ConfigurationError) -> Void

  package init(
    _ name: String, _ help: String, isSecret: Bool = false, shown: @escaping (Target) -> String? = { _ in nil },
    set: @escaping (inout Target, String) throws(ConfigurationError) -> Void
  ) {
    self.name = name
    self.help = help
    self.isSecret = isSecret
    self.shown = shown
    self.set = set
  }

  /// The line of a file that sets the key to its value; a comment when it is not set, or secret.
  package func line(_ target: Target) -> String {
    guard let value = shown(target) else { return "# \(name) =" }
    return isSecret ? "# \(name) is set, and is not shown" : "\(name) = \(value)"
  }
}

extension ConfigurationKey {
  /// A text that is not empty.
  package static func text(_ name: String, _ help: String, _ path: WritableKeyPath<Target, String?>) -> Self {
    Self(name, help, shown: { $0[keyPath: path] }) { target, text throws(ConfigurationError) in
      guard !text.isEmpty else { throw ConfigurationError("a value is required") }
      target[keyPath: path] = text
    }
  }

  /// A duration within a range, with or without its unit.
  package static func duration(
    _ name: String, _ help: String, _ path: WritableKeyPath<Target, TimeSpan>, _ range: ClosedRange<TimeSpan>
  ) -> Self {
    Self(name, help, shown: { $0[keyPath: path].description }) { target, text throws(ConfigurationError) in
      target[keyPath: path] = try span(text, range)
    }
  }

  /// A duration, or `off` for `nil`.
  package static func durationOrOff(
    _ name: String, _ help: String, _ path: WritableKeyPath<Target, TimeSpan?>, _ range: ClosedRange<TimeSpan>
  ) -> Self {
    Self(name, help, shown: { $0[keyPath: path]?.description ?? "off" }) { target, text throws(ConfigurationError) in
      target[keyPath: path] = text == "off" ? nil : try span(text, range)
    }
  }

  private static func span(_ text: String, _ range: ClosedRange<TimeSpan>) throws(ConfigurationError) -> TimeSpan {
    guard let span = TimeSpan(parsing: text) else {
      throw ConfigurationError("'\(text)' is not a duration, such as 90s, 5m, 1h or 14d")
    }
    guard range.contains(span) else {
      throw ConfigurationError("\(span) is not from \(range.lowerBound) to \(range.upperBound)")
    }
    return span
  }

  /// A whole number within a range, counted in a unit.
  package static func integer(
    _ name: String, _ help: String, _ path: WritableKeyPath<Target, Int>, _ range: ClosedRange<Int>, unit: Int = 1
  ) -> Self {
    Self(name, help, shown: { String($0[keyPath: path] / unit) }) { target, text throws(ConfigurationError) in
      guard let value = Int(text), range.contains(value) else {
        throw ConfigurationError("'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
      }
      target[keyPath: path] = value * unit
    }
  }

  /// A number within a range.
  package static func number(
    _ name: String, _ help: String, _ path: WritableKeyPath<Target, Double>, _ range: ClosedRange<Double>
  ) -> Self {
    Self(name, help, shown: { String($0[keyPath: path]) }) { target, text throws(ConfigurationError) in
      target[keyPath: path] = try number(text, range)
    }
  }

  /// Reads a number within a range.
  package static func number(_ text: String, _ range: ClosedRange<Double>) throws(ConfigurationError) -> Double {
    guard let value = Double(text), range.contains(value) else {
      throw ConfigurationError(
        "'\(text)' is not a number from \(JSONValue.number(range.lowerBound).text()) to \(JSONValue.number(range.upperBound).text())"
      )
    }
    return value
  }

  /// `yes` or `no`; files in JSON have `true` and `false`.
  package static func flag(_ name: String, _ help: String, _ path: WritableKeyPath<Target, Bool>) -> Self {
    Self(name, help, shown: { $0[keyPath: path] ? "yes" : "no" }) { target, text throws(ConfigurationError) in
      target[keyPath: path] = try flag(text)
    }
  }

  /// Reads `yes`, `no`, `true` or `false`.
  package static func flag(_ text: String) throws(ConfigurationError) -> Bool {
    switch text {
    case "yes", "true": return true
    case "no", "false": return false
    default: throw ConfigurationError("'\(text)' is not yes or no")
    }
  }
}
