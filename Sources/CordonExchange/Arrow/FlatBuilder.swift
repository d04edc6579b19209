/// Writes a FlatBuffer, from its end to its beginning as all writers of that format do.
struct FlatBuilder {
  /// The bytes from the last one to the first.
  private var reversed: [UInt8] = []
  private var slots: [Int] = []
  private var tableStart = 0

  /// The distance of a value from the end of the buffer.
  typealias Offset = Int

  /// Makes the next value lie at a multiple of its size, `extra` bytes before others that follow.
  private mutating func align(_ size: Int, extra: Int = 0) {
    while (reversed.count + extra) % size != 0 { reversed.append(0) }
  }

  private mutating func push<Value: FixedWidthInteger>(_ value: Value) {
    let size = MemoryLayout<Value>.size
    align(size)
    for k in (0..<size).reversed() { reversed.append(UInt8(truncatingIfNeeded: value >> (8 * Value(k)))) }
  }

  private mutating func pushReference(_ offset: Offset) {
    align(4)
    push(UInt32(reversed.count + 4 - offset))
  }

  /// Adds a text.
  mutating func text(_ text: String) -> Offset {
    let bytes = Array(text.utf8)
    align(4, extra: bytes.count + 1)
    reversed.append(0)
    reversed.append(contentsOf: bytes.reversed())
    push(UInt32(bytes.count))
    return reversed.count
  }

  /// Adds a vector of tables.
  mutating func tables(_ offsets: [Offset]) -> Offset {
    align(4)
    for offset in offsets.reversed() { pushReference(offset) }
    push(UInt32(offsets.count))
    return reversed.count
  }

  /// Adds a vector of structs of whole numbers of eight bytes.
  mutating func structs(_ values: [[Int64]]) -> Offset {
    let size = values.reduce(0) { $0 + $1.count * 8 }
    align(4, extra: size)
    align(8, extra: size)
    for value in values.reversed() { for number in value.reversed() { push(number) } }
    push(UInt32(values.count))
    return reversed.count
  }

  /// Begins a table; its values are complete before.
  mutating func begin(fields: Int) {
    slots = [Int](repeating: 0, count: fields)
    tableStart = reversed.count
  }

  /// Sets a number of the present table.
  mutating func set<Value: FixedWidthInteger>(_ field: Int, _ value: Value) {
    push(value)
    slots[field] = reversed.count
  }

  /// Sets a reference of the present table.
  mutating func set(_ field: Int, reference offset: Offset) {
    pushReference(offset)
    slots[field] = reversed.count
  }

  /// Ends the present table.
  mutating func end() -> Offset {
    push(Int32(0))
    let object = reversed.count
    for slot in slots.reversed() { push(UInt16(slot == 0 ? 0 : object - slot)) }
    push(UInt16(object - tableStart))
    push(UInt16(4 + slots.count * 2))
    let distance = UInt32(reversed.count - object)
    for k in 0..<4 { reversed[object - 1 - k] = UInt8(truncatingIfNeeded: distance >> (8 * UInt32(k))) }
    return object
  }

  /// Returns the buffer with its root table; its size is a multiple of eight.
  consuming func finish(_ root: Offset) -> [UInt8] {
    align(8, extra: 4)
    pushReference(root)
    return reversed.reversed()
  }
}
