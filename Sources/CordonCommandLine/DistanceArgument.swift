import ArgumentParser

/// A distance on the command line in metres, with or without the unit: `2`, `2m`.
package struct DistanceArgument: DescribedArgument, Sendable {
  package let metres: Double

  package init(_ metres: Double) { self.metres = metres }

  package init?(argument: String) {
    let digits = argument.hasSuffix("m") ? argument.dropLast() : argument[...]
    // Neither a hexadecimal number nor an infinite one, which `Double` reads.
    guard let last = digits.last, last.isNumber || last == ".", !digits.lowercased().contains("x"),
      let metres = Double(digits)
    else { return nil }
    self.metres = metres
  }

  package var defaultValueDescription: String { metres == metres.rounded() ? "\(Int(metres))m" : "\(metres)m" }

  package static var valueName: String { "metres" }
  package static var forms: String { "a distance in metres: 2, 2m or 1.8288m" }
}
