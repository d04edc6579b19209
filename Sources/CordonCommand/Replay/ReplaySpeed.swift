import ArgumentParser
import CordonCore
import CordonSupport

/// The speed of a replay's clock.
struct ReplaySpeed: ExpressibleByArgument, Sendable {
  /// Times real time; `nil` for as fast as it goes.
  let factor: Double?

  init(factor: Double?) { self.factor = factor }

  init?(argument: String) {
    if argument == "max" {
      factor = nil
    } else {
      guard argument.hasSuffix("x"), let number = Double(argument.dropLast()), number.isFinite, number > 0 else {
        return nil
      }
      factor = number
    }
  }

  var defaultValueDescription: String { factor.map { "\(JSONValue.number($0).text())x" } ?? "max" }
}
