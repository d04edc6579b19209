/// A name in which `*` stands for any characters, and `?` for one.
package struct NamePattern: Sendable {
  private let pattern: [Character]

  /// Creates a pattern from its text.
  package init(_ text: String) { pattern = Array(text) }

  /// Whether the text has a wildcard.
  package static func isPattern(_ text: String) -> Bool { text.contains { $0 == "*" || $0 == "?" } }

  /// Whether a whole name matches. Complexity: at most the product of both lengths.
  package func matches(_ name: String) -> Bool {
    let name = Array(name)
    var (at, inPattern) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while at < name.count {
      if inPattern < pattern.count, pattern[inPattern] == "*" {
        star = (inPattern, at)
        inPattern += 1
      } else if inPattern < pattern.count, pattern[inPattern] == "?" || pattern[inPattern] == name[at] {
        at += 1
        inPattern += 1
      } else if let last = star {
        // The last star takes one character more.
        star = (last.pattern, last.name + 1)
        inPattern = last.pattern + 1
        at = last.name + 1
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == "*" }
  }
}
