/// The first place at which two decision logs part.
public struct ReplayDifference: Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int
  /// What the first log has there; `nil` when it ends earlier.
  public var first: String?
  /// What the second has.
  public var second: String?

  /// A difference.
  public init(line: Int, first: String?, second: String?) {
    self.line = line
    self.first = first
    self.second = second
  }

  /// Compares two logs of JSON Lines, or of text; `nil` when they are the same. O(length).
  public static func between(_ first: String, _ second: String) -> ReplayDifference? {
    if first == second { return nil }
    let one = first.split(separator: "\n", omittingEmptySubsequences: false)
    let two = second.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(one.count, two.count) {
      let a = index < one.count ? String(one[index]) : nil
      let b = index < two.count ? String(two[index]) : nil
      if a != b { return ReplayDifference(line: index + 1, first: a, second: b) }
    }
    return nil
  }
}
