/// The order of lists in a venue: by floor, then by the bytes of the identifier.
enum SourceOrder {
  private struct Key {
    var floor: Int
    // The first 16 bytes of the identifier, which are nearly always sufficient.
    var high: UInt64
    var low: UInt64
    var index: Int32
  }

  /// Returns the elements in order; elements with equal keys keep their order.
  static func sorted<Element>(_ list: [Element], floor: (Element) -> Int, id: (Element) -> String) -> [Element] {
    guard list.count > 1 else { return list }
    return permutation(list, floor: floor, id: id).map { list[Int($0)] }
  }

  /// Returns the index in `list` of each element of the sorted list.
  static func permutation<Element>(_ list: [Element], floor: (Element) -> Int, id: (Element) -> String) -> [Int32] {
    var keys: [Key] = []
    keys.reserveCapacity(list.count)
    for (index, element) in list.enumerated() {
      var (high, low): (UInt64, UInt64) = (0, 0)
      var position = 0
      for byte in id(element).utf8.prefix(16) {
        if position < 8 {
          high |= UInt64(byte) << UInt64(56 - 8 * position)
        } else {
          low |= UInt64(byte) << UInt64(120 - 8 * position)
        }
        position += 1
      }
      keys.append(Key(floor: floor(element), high: high, low: low, index: Int32(truncatingIfNeeded: index)))
    }
    keys.sort { a, b in
      if a.floor != b.floor { return a.floor < b.floor }
      if a.high != b.high { return a.high < b.high }
      if a.low != b.low { return a.low < b.low }
      let (x, y) = (id(list[Int(a.index)]), id(list[Int(b.index)]))
      return x == y ? a.index < b.index : x.utf8.lexicographicallyPrecedes(y.utf8)
    }
    return keys.map(\.index)
  }
}
