/// Prices of devices and anchors, for the costs of a positioning technology.
package struct SweepPrice: Hashable, Sendable {
  /// The price of a device for technologies without a price of their own.
  package var device = 0.0
  /// The price of an anchor for technologies without a price of their own.
  package var anchor = 0.0
  /// Prices of devices by the name of the technology.
  package var devices: [String: Double] = [:]
  /// Prices of anchors by the name of the technology.
  package var anchors: [String: Double] = [:]

  /// Creates prices of zero.
  package init() {}

  /// Reads a list such as `20` or `20,uwb=35`.
  /// - Returns: the common price and the prices by name; `nil` for a text that is not such a list.
  package static func read(_ text: String) -> (common: Double, named: [String: Double])? {
    var (common, named) = (0.0, [String: Double]())
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map { String($0.filter { !$0.isWhitespace }) }
      guard let number = words.last.flatMap(Double.init), number >= 0, number.isFinite else { return nil }
      if words.count == 2 { named[words[0]] = number } else { common = number }
    }
    return text.allSatisfy(\.isWhitespace) ? nil : (common, named)
  }

  /// Returns the costs of a technology.
  func costs(of kind: PhoneKind, devices count: Double, anchors: Int) -> Double {
    count * (devices[kind.name] ?? device) + Double(anchors) * (self.anchors[kind.name] ?? anchor)
  }
}

/// The figures that a technology must reach.
package struct SweepTarget: Hashable, Sendable {
  /// The minimum share of the true pairs among phones that are warned.
  package var recall = 0.8
  /// The minimum share of the warned pairs that are true.
  package var precision = 0.8
  /// The minimum share of all true pairs, with and without phones, that are warned; 0 for no such target.
  package var reach = 0.0

  /// Creates the default target.
  package init() {}

  /// Sets figures by a list such as `recall=0.9,reach=0.5`.
  /// - Returns: the part that cannot be read; `nil` if all can.
  package mutating func set(_ text: String) -> String? {
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=").map { String($0.filter { !$0.isWhitespace }) }
      guard words.count == 2, let number = Double(words[1]), (0...1).contains(number) else { return String(part) }
      switch words[0] {
      case "recall": recall = number
      case "precision": precision = number
      case "reach": reach = number
      default: return String(part)
      }
    }
    return text.allSatisfy(\.isWhitespace) ? text : nil
  }
}
