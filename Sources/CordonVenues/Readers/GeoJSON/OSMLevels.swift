import CordonCore

/// The `level` tag of OpenStreetMap: a number, a list (`-1;0`), a range (`0-2`), or a combination.
enum OSMLevels {
  /// Maximum number of floors of one feature.
  static let most = 200

  /// Returns the levels in ascending order; empty if no level can be read.
  static func parse(_ text: String) -> [FloorOrdinal] {
    var levels: Set<FloorOrdinal> = []
    for part in text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let part = part.filter { !$0.isWhitespace }
      if let single = Double(part) {
        if let ordinal = FloorOrdinal(single) { levels.insert(ordinal) }
        continue
      }
      // A hyphen after a digit separates a range; other hyphens are signs.
      var separator: String.Index?
      var previous: Character?
      for index in part.indices {
        if part[index] == "-", previous?.isNumber == true {
          separator = index
          break
        }
        previous = part[index]
      }
      guard let separator, let low = Double(part[..<separator]).flatMap({ FloorOrdinal($0) }),
        let high = Double(part[part.index(after: separator)...]).flatMap({ FloorOrdinal($0) }), low <= high
      else { continue }
      levels.insert(low)
      levels.insert(high)
      // A range includes every whole level between its ends.
      var next = (low.value.rounded(.down) + 1)
      while next < high.value, levels.count < most {
        if let ordinal = FloorOrdinal(next) { levels.insert(ordinal) }
        next += 1
      }
    }
    return levels.sorted()
  }
}
