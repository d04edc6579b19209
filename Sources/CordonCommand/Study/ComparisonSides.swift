import ArgumentParser
import CordonCommandLine
import CordonRun
import CordonSimulator
import Foundation

/// Values of the command line that override those of one side or of all sides of a comparison.
struct SideChanges: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Override a value by its key: on one side (B:policies.stagger=30m) or on all (seed=2). Repeat it for more.",
      valueName: "side:key=value"))
  var set: [String] = []

  /// Returns the changes of each side, in the order given.
  /// - Parameter count: the number of files.
  /// - Returns: the changes by side: as many as there are files, or more if changes name later letters.
  func list(files count: Int) throws -> [[ScenarioChange]] {
    let all = try set.map { text -> (side: Int?, change: ScenarioChange) in
      let (side, rest) = SideChanges.split(text)
      guard let change = ScenarioChange(rest) else {
        throw CommandError(
          "--set: '\(text)' is not KEY=VALUE or SIDE:KEY=VALUE, such as B:policies.stagger=30m", code: "usage")
      }
      return (side, change)
    }
    let named = Set(all.compactMap(\.side))
    let sides = max(count, (named.max() ?? -1) + 1)
    for side in count..<max(sides, count) where !named.contains(side) {
      throw CommandError(
        "--set: side \(ComparisonSide.letter(side)) has neither a file nor a value of its own", code: "usage")
    }
    return (0..<sides).map { side in all.filter { ($0.side ?? side) == side }.map(\.change) }
  }

  /// Splits a text such as `B:key=value` into the number of the side and the rest.
  static func split(_ text: String) -> (side: Int?, rest: String) {
    let letters = text.utf8.prefix(2)
    guard letters.count == 2, letters.last == UInt8(ascii: ":"), let letter = letters.first,
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    else { return (nil, text) }
    return (Int(letter - UInt8(ascii: "A")), String(text.dropFirst(2)))
  }

  /// Returns the changes of a side in words.
  func words(for side: Int) -> String {
    let own = set.compactMap { text -> String? in
      let parts = SideChanges.split(text)
      return parts.side == side ? parts.rest : nil
    }
    return own.isEmpty ? "" : " with \(own.joined(separator: ", "))"
  }
}

/// The parts of the building to compare.
struct PartOptions: ParsableArguments {
  @Option(
    name: .customLong("per"),
    help: ArgumentHelp(
      "The tables, separated by commas: building, group, space, desk, queue. (default: all)", valueName: "list"))
  var list: String?

  /// The parts.
  func parts() throws -> Set<FigurePart> {
    guard let list else { return Set(FigurePart.allCases) }
    return Set(
      try list.split(separator: ",").map { word in
        guard let part = FigurePart(rawValue: word.trimmingCharacters(in: .whitespaces)) else {
          throw CommandError(
            "--per: '\(word)' is not one of \(FigurePart.allCases.map(\.rawValue).joined(separator: ", "))",
            code: "usage")
        }
        return part
      })
  }
}
