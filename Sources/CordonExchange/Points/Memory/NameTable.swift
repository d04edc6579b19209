/// Gives numbers to names, given as bytes, in the order in which they first come.
struct NameTable {
  private(set) var names: [String] = []
  private var slots = [Int32](repeating: -1, count: 1 << 10)
  private var hashes: [UInt64] = []
  private var spans: [Range<Int>] = []
  private var bytes: [UInt8] = []
  private var last: Int32 = -1
  /// For each name the one that came after it the last time: files list devices one by one, or in one order at each time.
  private var followers: [Int32] = []

  /// The number of a name.
  @inline(__always)
  mutating func number(of name: UnsafeBufferPointer<UInt8>) -> Int32 {
    if last >= 0 {
      let expected = followers[Int(last)]
      if matches(expected, name) {
        last = expected
        return expected
      }
    }
    let number = find(name)
    if last >= 0 { followers[Int(last)] = number }
    last = number
    return number
  }

  @inline(never)
  private mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Int32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash ^= hash >> 29
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = slots[slot]
      if hashes[Int(number)] == hash, matches(number, name) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    let number = Int32(truncatingIfNeeded: names.count)
    slots[slot] = number
    hashes.append(hash)
    spans.append(bytes.count..<(bytes.count + name.count))
    bytes.append(contentsOf: name)
    names.append(String(decoding: name, as: UTF8.self))
    // Many rows of one device often come together.
    followers.append(number)
    if names.count * 2 > slots.count { grow() }
    return number
  }

  @inline(__always)
  private func matches(_ number: Int32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let span = spans[Int(number)]
    guard span.count == name.count else { return false }
    return bytes.withUnsafeBufferPointer { known in
      guard let known = known.baseAddress, let name = name.baseAddress else { return true }
      return ByteScan.isEqual(known + span.lowerBound, name, count: span.count)
    }
  }

  private mutating func grow() {
    var larger = [Int32](repeating: -1, count: slots.count * 2)
    for number in names.indices {
      var slot = Int(truncatingIfNeeded: hashes[number]) & (larger.count - 1)
      while larger[slot] >= 0 { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = Int32(truncatingIfNeeded: number)
    }
    slots = larger
  }

  /// For each number the place of its name among the sorted names: whole numbers by value and before other names, which
  /// go by bytes.
  func sortedPlaces() -> (places: [Int32], names: [String]) {
    let order = names.indices.sorted { a, b in
      switch (UInt64(names[a]), UInt64(names[b])) {
      case (let x?, let y?): x != y ? x < y : names[a].utf8.lexicographicallyPrecedes(names[b].utf8)
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): names[a].utf8.lexicographicallyPrecedes(names[b].utf8)
      }
    }
    var places = [Int32](repeating: 0, count: names.count)
    for (place, number) in order.enumerated() { places[number] = Int32(truncatingIfNeeded: place) }
    return (places, order.map { names[$0] })
  }
}
