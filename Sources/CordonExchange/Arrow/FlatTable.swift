/// Bytes of a FlatBuffer; every access is checked.
struct FlatBuffer {
  let bytes: UnsafeRawBufferPointer
  /// The place of the first byte in the file, for messages.
  let origin: Int

  /// - Throws: ``PointFileError`` when the value lies outside of the bytes.
  func load<Value: FixedWidthInteger>(_ type: Value.Type = Value.self, at position: Int) throws(PointFileError) -> Value
  {
    guard position >= 0, position <= bytes.count - MemoryLayout<Value>.size else { throw damage(at: position) }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
  }

  /// The table that an offset leads to.
  /// - Parameter position: the place of the offset.
  func table(at position: Int) throws(PointFileError) -> FlatTable {
    try FlatTable(self, at: try reference(at: position))
  }

  /// The target of an offset.
  func reference(at position: Int) throws(PointFileError) -> Int {
    let offset = Int(try load(UInt32.self, at: position))
    // An offset of 0 would lead to itself.
    guard offset > 0, offset < bytes.count - position else { throw damage(at: position) }
    return position + offset
  }

  /// The error of a value that lies where none can be.
  func damage(at position: Int) -> PointFileError {
    PointFileError(.damaged, "the metadata of a message are damaged", place: "byte \(max(origin &+ position, 0))")
  }
}

/// A table of a FlatBuffer: fields by number, any of which may be missing.
struct FlatTable {
  private let buffer: FlatBuffer
  private let position: Int
  private let names: Int
  private let namesSize: Int

  init(_ buffer: FlatBuffer, at position: Int) throws(PointFileError) {
    self.buffer = buffer
    self.position = position
    names = position - Int(try buffer.load(Int32.self, at: position))
    namesSize = Int(try buffer.load(UInt16.self, at: names))
    guard namesSize >= 4, names >= 0, names + namesSize <= buffer.bytes.count else { throw buffer.damage(at: names) }
  }

  /// The place of a field; `nil` when it is missing.
  private func place(_ field: Int) throws(PointFileError) -> Int? {
    let slot = 4 + field * 2
    guard slot + 2 <= namesSize else { return nil }
    let offset = Int(try buffer.load(UInt16.self, at: names + slot))
    return offset == 0 ? nil : position + offset
  }

  /// A number; `value` when it is missing.
  func number<Value: FixedWidthInteger>(_ field: Int, default value: Value) throws(PointFileError) -> Value {
    guard let place = try place(field) else { return value }
    return try buffer.load(Value.self, at: place)
  }

  /// Whether a flag is set.
  func flag(_ field: Int) throws(PointFileError) -> Bool { try number(field, default: UInt8(0)) != 0 }

  /// A table, or the value of a union.
  func table(_ field: Int) throws(PointFileError) -> FlatTable? {
    guard let place = try place(field) else { return nil }
    return try buffer.table(at: place)
  }

  /// A text; bytes that are not UTF-8 are replaced.
  func text(_ field: Int) throws(PointFileError) -> String? {
    guard let (start, count) = try vector(field, stride: 1) else { return nil }
    return String(decoding: UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<start + count]), as: UTF8.self)
  }

  /// The tables of a vector.
  /// - Parameter limit: the largest number of tables.
  func tables(_ field: Int, limit: Int) throws(PointFileError) -> [FlatTable] {
    guard let (start, count) = try vector(field, stride: 4) else { return [] }
    guard count <= limit else {
      throw PointFileError(.tooLarge, "more than \(limit) columns", place: "byte \(buffer.origin + start)")
    }
    var tables: [FlatTable] = []
    for k in 0..<count { tables.append(try buffer.table(at: start + k * 4)) }
    return tables
  }

  /// Pairs of numbers of eight bytes.
  func pairs(_ field: Int) throws(PointFileError) -> [(Int64, Int64)] {
    guard let (start, count) = try vector(field, stride: 16) else { return [] }
    var pairs: [(Int64, Int64)] = []
    pairs.reserveCapacity(count)
    for k in 0..<count {
      pairs.append((try buffer.load(at: start + k * 16), try buffer.load(at: start + k * 16 + 8)))
    }
    return pairs
  }

  /// The first byte of a vector and the number of its elements.
  private func vector(_ field: Int, stride: Int) throws(PointFileError) -> (start: Int, count: Int)? {
    guard let place = try place(field) else { return nil }
    let head = try buffer.reference(at: place)
    let count = Int(try buffer.load(UInt32.self, at: head))
    guard count <= (buffer.bytes.count - head - 4) / stride else { throw buffer.damage(at: head) }
    return (head + 4, count)
  }
}
