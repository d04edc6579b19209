import CordonSupport

/// A column of a batch: values by row, where every access lies within its buffers.
struct ArrowColumn {
  /// How the values of a column, or the indices of one with a dictionary, lie in memory.
  enum Storage: UInt8 {
    case int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64, bool, text, largeText

    /// Bits of a value; of a text those of its offset.
    var bits: Int {
      switch self {
      case .bool: 1
      case .int8, .uint8: 8
      case .int16, .uint16: 16
      case .int32, .uint32, .float32, .text: 32
      case .int64, .uint64, .float64, .largeText: 64
      }
    }

    init?(_ type: ArrowType) {
      switch type {
      case .integer(8, let isSigned): self = isSigned ? .int8 : .uint8
      case .integer(16, let isSigned): self = isSigned ? .int16 : .uint16
      case .integer(32, let isSigned): self = isSigned ? .int32 : .uint32
      case .integer(_, let isSigned): self = isSigned ? .int64 : .uint64
      case .float(let bits): self = bits == 32 ? .float32 : .float64
      case .text(let isLarge): self = isLarge ? .largeText : .text
      case .bool: self = .bool
      case .timestamp: self = .int64
      case .other: return nil
      }
    }
  }

  /// The number of rows.
  let count: Int
  /// The dictionary of a column of indices.
  let dictionary: ArrowDictionary?
  let storage: Storage
  /// A bit a row, from the lowest of each byte on; `nil` when every row has a value.
  let validity: UnsafeRawPointer?
  /// The values, or the offsets of texts, one after the other.
  let values: UnsafeRawPointer
  private let text: UnsafeBufferPointer<UInt8>

  /// Lends the buffers of a column.
  /// - Parameters:
  ///   - field: the column.
  ///   - count: the number of rows.
  ///   - nullCount: how many rows have no value.
  ///   - buffers: the buffers of the column, within the body.
  ///   - dictionary: its dictionary, if it has one.
  ///   - place: the place of the batch, for messages.
  /// - Throws: ``PointFileError`` when a buffer is shorter than its rows, or the type has no use.
  init(
    _ field: ArrowField, count: Int, nullCount: Int64, buffers: [UnsafeRawBufferPointer], dictionary: ArrowDictionary?,
    place: String
  ) throws(PointFileError) {
    func damaged(_ part: String) -> PointFileError {
      PointFileError(.damaged, "column \(field.name.quotedName) has too few bytes of \(part)", place: place)
    }
    let type = field.dictionary?.index ?? field.type
    guard let storage = Storage(type) else {
      let message = "column \(field.name.quotedName) is \(type.name); it cannot be read"
      throw PointFileError(.unsupported, message, place: place)
    }
    guard buffers.count >= 2, let base = buffers[1].baseAddress else { throw damaged("values") }
    let isText = storage == .text || storage == .largeText
    // Texts have one offset more than rows, but for an empty column.
    let least = isText && count > 0 ? count + 1 : count
    guard buffers[1].count * 8 / storage.bits >= least else { throw damaged("values") }
    self.count = count
    self.dictionary = dictionary
    self.storage = storage
    values = base
    text = buffers.count > 2 ? buffers[2].bindMemory(to: UInt8.self) : UnsafeBufferPointer(start: nil, count: 0)
    guard nullCount != 0 else {
      validity = nil
      return
    }
    guard buffers[0].count * 8 >= count, let bits = buffers[0].baseAddress else { throw damaged("missing rows") }
    validity = bits
  }

  /// Whether a row has a value.
  @inline(__always)
  func isValid(_ row: Int) -> Bool {
    guard let validity else { return true }
    return validity.load(fromByteOffset: row >> 3, as: UInt8.self) >> UInt8(truncatingIfNeeded: row & 7) & 1 != 0
  }

  @inline(__always)
  private func load<Value: BitwiseCopyable>(_ row: Int, _ type: Value.Type = Value.self) -> Value {
    values.loadUnaligned(fromByteOffset: row &* MemoryLayout<Value>.size, as: Value.self)
  }

  /// A number of a column of floats or whole numbers; NaN for a missing one and for other types.
  @inline(__always)
  func double(_ row: Int) -> Double {
    guard isValid(row) else { return .nan }
    switch storage {
    case .float64: return load(row)
    case .float32: return Double(load(row, Float.self))
    case .bool, .text, .largeText: return .nan
    default: return Double(stored(row))
    }
  }

  /// A whole number of a column of whole numbers, times or indices; `nil` for a missing one and for other types.
  @inline(__always)
  func whole(_ row: Int) -> Int64? {
    guard isValid(row), storage.rawValue <= Storage.uint64.rawValue else { return nil }
    return stored(row)
  }

  @inline(__always)
  private func stored(_ row: Int) -> Int64 {
    switch storage {
    case .int64: load(row)
    // Larger ones are neither times nor indices nor ordinals.
    case .uint64: max(load(row, Int64.self), -1)
    case .int32: Int64(load(row, Int32.self))
    case .uint32: Int64(load(row, UInt32.self))
    case .int16: Int64(load(row, Int16.self))
    case .uint16: Int64(load(row, UInt16.self))
    case .int8: Int64(load(row, Int8.self))
    case .uint8: Int64(load(row, UInt8.self))
    default: 0
    }
  }

  /// Whether the values are texts, or texts of a dictionary.
  var isText: Bool { dictionary != nil || storage == .text || storage == .largeText }

  /// Whether the values are whole numbers.
  var isWhole: Bool { dictionary == nil && storage.rawValue <= Storage.uint64.rawValue }

  /// Whether the values are numbers.
  var isNumber: Bool { isWhole || dictionary == nil && (storage == .float32 || storage == .float64) }

  /// The value of a row of booleans; `nil` for a missing one.
  func bool(_ row: Int) -> Bool? {
    guard isValid(row), storage == .bool else { return nil }
    return values.load(fromByteOffset: row >> 3, as: UInt8.self) >> UInt8(truncatingIfNeeded: row & 7) & 1 != 0
  }

  /// The bytes of a text, also of one from a dictionary; empty for a missing one.
  /// - Throws: ``PointFileError`` when the text lies outside of its buffer.
  @inline(__always)
  func bytes(_ row: Int) throws(PointFileError) -> UnsafeBufferPointer<UInt8> {
    guard isValid(row) else { return UnsafeBufferPointer(start: nil, count: 0) }
    if let dictionary { return try dictionary.bytes(Int(stored(row))) }
    let start: Int
    let end: Int
    switch storage {
    case .text: (start, end) = (Int(load(row, Int32.self)), Int(load(row &+ 1, Int32.self)))
    case .largeText: (start, end) = (Int(load(row, Int64.self)), Int(load(row &+ 1, Int64.self)))
    default: return UnsafeBufferPointer(start: nil, count: 0)
    }
    guard start >= 0, start <= end, end <= text.count else { throw ArrowColumn.outside(row) }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  @inline(never)
  private static func outside(_ row: Int) -> PointFileError {
    PointFileError(.damaged, "a text lies outside of its buffer", place: "row \(row) of its batch")
  }
}

/// The values of a dictionary: texts by their index.
final class ArrowDictionary {
  // Memory of its own, since rows lend its bytes.
  private var texts: UnsafeMutablePointer<UInt8>
  private var size = 0
  private var room = 1 << 10
  private var ends: [Int] = []
  /// Changes when values are replaced, so that numbers for earlier values are not used for these.
  private(set) var generation = 0
  /// The number of values of a dictionary.
  static let valueLimit = 1 << 27

  init() { texts = .allocate(capacity: room) }

  deinit { texts.deallocate() }

  /// How many values there are.
  var count: Int { ends.count }

  /// Adds the values of a column; missing ones are empty.
  /// - Parameter isDelta: whether they follow the present values; else they replace them.
  func add(_ column: ArrowColumn, isDelta: Bool) throws(PointFileError) {
    if !isDelta {
      (size, ends) = (0, [])
      generation += 1
    }
    guard column.count <= ArrowDictionary.valueLimit - count else {
      throw PointFileError(.tooLarge, "a dictionary of more than \(ArrowDictionary.valueLimit) values")
    }
    for row in 0..<column.count {
      if column.isText {
        append(try column.bytes(row))
      } else if let whole = column.whole(row) {
        Array("\(whole)".utf8).withUnsafeBufferPointer { append($0) }
      }
      ends.append(size)
    }
  }

  private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    if size + bytes.count > room {
      while size + bytes.count > room { room *= 2 }
      let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
      moved.update(from: texts, count: size)
      texts.deallocate()
      texts = moved
    }
    (texts + size).update(from: base, count: bytes.count)
    size += bytes.count
  }

  /// The bytes of a value, valid until values are added.
  func bytes(_ index: Int) throws(PointFileError) -> UnsafeBufferPointer<UInt8> {
    guard index >= 0, index < ends.count else {
      throw PointFileError(.damaged, "an index lies outside of its dictionary of \(ends.count) values")
    }
    let start = index == 0 ? 0 : ends[index - 1]
    return UnsafeBufferPointer(start: texts + start, count: ends[index] - start)
  }
}

extension String {
  /// The name of a column in a message.
  var quotedName: String { Quotation.of(self, limit: 60) }
}
