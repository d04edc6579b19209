import CordonCore

/// The `level` of OpenStreetMap: a number, a list (`-1;0`), a range (`0-2`), or a mixture.
enum OSMLevels {
  /// At most this many floors of one feature.
  static let most = 200

  /// The levels in ascending order; empty when there is none that can be read.
  static func parse(_ text: String) -> [FloorOrdinal] {
    var levels: Set<FloorOrdinal> = []
    for part in text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let part = part.filter { !$0.isWhitespace }
      if let single = Double(part) {
        if let ordinal = FloorOrdinal(single) { levels.insert(ordinal) }
        continue
      }
      // The hyphen of a range is one after a digit; others are signs.
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
      // Between the ends every whole level counts.
      var next = (low.value.rounded(.down) + 1)
      while next < high.value, levels.count < most {
        if let ordinal = FloorOrdinal(next) { levels.insert(ordinal) }
        next += 1
      }
    }
    return levels.sorted()
  }
}
