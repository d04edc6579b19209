/// Reads the messages of Arrow IPC: a schema, dictionaries and batches of rows.
///
/// Both forms are read: the stream, and the file, which is a stream between a mark and a list of its batches. Bodies must not be
/// compressed. Lengths, offsets and counts are checked before they are used. Source: Apache Arrow, "Serialization and
/// Interprocess Communication", version 1.5 of the columnar format.
final class ArrowStreamReader {
  /// `ARROW1` and two zeros, which files begin with.
  static let fileMark = UInt64(littleEndian: 0x0000_3157_4F52_5241)
  /// The largest size of the metadata of a message.
  static let metadataLimit = 1 << 26
  /// The largest size of the body of a message.
  static let bodyLimit: Int64 = 1 << 38

  private let source: ArrowSource
  private let metadata = ArrowMemory()
  private let body = ArrowMemory()
  private var bodyLength = 0
  private var dictionaries: [Int64: ArrowDictionary] = [:]
  private var isOver = false
  /// Whether the stream ended with the mark of its end; without one it may be cut short.
  private(set) var hasEndMark = false
  /// The columns.
  let schema: ArrowSchema

  /// Opens a file, `-` for standard input, and reads its schema.
  init(path: String) throws(PointFileError) {
    source = try ArrowSource(path: path)
    // The schema comes first, but for the mark of files.
    var head: UInt64 = 0
    var length = try ArrowStreamReader.length(source, &head)
    if head == ArrowStreamReader.fileMark { length = try ArrowStreamReader.length(source, &head) }
    guard let length else { throw PointFileError(.empty, "is empty") }
    let message = try ArrowStreamReader.message(source, metadata, length: length)
    guard message.kind == 1, message.bodyLength == 0 else {
      throw PointFileError(.foreignFormat, "is not an Arrow stream: it does not begin with a schema", place: "byte 0")
    }
    schema = try ArrowSchema(message.header)
  }

  /// A batch of rows; its columns are valid until the next one is read.
  struct Batch {
    /// The number of rows.
    let count: Int
    fileprivate let nodes: [(Int64, Int64)]
    fileprivate let buffers: [(Int64, Int64)]
    /// For messages.
    let place: String
  }

  /// Reads up to the next batch of rows; `nil` at the end.
  func next() throws(PointFileError) -> Batch? {
    while !isOver {
      var head: UInt64 = 0
      let start = source.position
      guard let length = try ArrowStreamReader.length(source, &head) else {
        isOver = true
        hasEndMark = source.position == start + 8
        return nil
      }
      let message = try ArrowStreamReader.message(source, metadata, length: length)
      let place = "byte \(start)"
      try body.fill(from: source, count: message.bodyLength)
      bodyLength = message.bodyLength
      switch message.kind {
      case 2: try readDictionary(message.header, place)
      case 3: return try batch(message.header, place, nodes: schema.nodeCount, buffers: schema.bufferCount)
      case 1: throw PointFileError(.damaged, "has a second schema", place: place)
      default: throw PointFileError(.unsupported, "has a message of an unknown kind", place: place)
      }
    }
    return nil
  }

  /// The column of a field.
  func column(_ field: Int, of batch: Batch) throws(PointFileError) -> ArrowColumn {
    guard let start = schema.starts[field] else {
      let name = schema.fields[field].name.quotedName
      throw PointFileError(
        .unsupported, "column \(name) is behind one whose layout is not known; leave that out", place: batch.place)
    }
    let description = schema.fields[field]
    var dictionary: ArrowDictionary?
    if let encoding = description.dictionary {
      guard let known = dictionaries[encoding.id] else {
        throw PointFileError(.damaged, "column \(description.name.quotedName) has no dictionary", place: batch.place)
      }
      dictionary = known
    }
    return try column(description, of: batch, node: start.node, buffer: start.buffer, dictionary)
  }

  private func column(
    _ field: ArrowField, of batch: Batch, node: Int, buffer: Int, _ dictionary: ArrowDictionary?
  ) throws(PointFileError) -> ArrowColumn {
    let (rows, nullCount) = batch.nodes[node]
    guard rows == Int64(batch.count) else {
      throw PointFileError(.damaged, "column \(field.name.quotedName) has another number of rows", place: batch.place)
    }
    var buffers: [UnsafeRawBufferPointer] = []
    for (offset, length) in batch.buffers[buffer..<min(buffer + field.buffers, batch.buffers.count)] {
      guard offset >= 0, length >= 0, offset <= bodyLength, length <= Int64(bodyLength) - offset else {
        throw PointFileError(.damaged, "a buffer lies outside of its message", place: batch.place)
      }
      buffers.append(UnsafeRawBufferPointer(start: body.base + Int(offset), count: Int(length)))
    }
    return try ArrowColumn(
      field, count: batch.count, nullCount: nullCount, buffers: buffers, dictionary: dictionary, place: batch.place)
  }

  private func batch(_ header: FlatTable, _ place: String, nodes: Int, buffers: Int) throws(PointFileError) -> Batch {
    if try header.table(3) != nil {
      throw PointFileError(.unsupported, "is compressed; write it without compression", place: place)
    }
    let count = try header.number(0, default: Int64(0))
    // No column has more rows than bits.
    guard count >= 0, count / 8 <= bodyLength else {
      throw PointFileError(.damaged, "a batch states more rows than it has", place: place)
    }
    let batch = Batch(count: Int(count), nodes: try header.pairs(1), buffers: try header.pairs(2), place: place)
    guard batch.nodes.count == nodes, batch.buffers.count >= buffers else {
      throw PointFileError(.damaged, "a batch does not have the columns of the schema", place: place)
    }
    return batch
  }

  private func readDictionary(_ header: FlatTable, _ place: String) throws(PointFileError) {
    let id = try header.number(0, default: Int64(0))
    guard let field = schema.fields.first(where: { $0.dictionary?.id == id })?.ofValues, let data = try header.table(1)
    else {
      // One of a nested column, which is not read.
      return
    }
    let batch = try batch(data, place, nodes: 1, buffers: 2)
    let column = try column(field, of: batch, node: 0, buffer: 0, nil)
    guard column.isText || column.isWhole else {
      let message = "column \(field.name.quotedName) has a dictionary of \(field.type.name)"
      throw PointFileError(.unsupported, message, place: place)
    }
    let dictionary = dictionaries[id] ?? ArrowDictionary()
    dictionaries[id] = dictionary
    try dictionary.add(column, isDelta: try header.flag(2))
  }

  private struct Message {
    let kind: UInt8
    let header: FlatTable
    let bodyLength: Int
  }

  /// The length of the next message's metadata; `nil` at the end.
  private static func length(_ source: ArrowSource, _ head: inout UInt64) throws(PointFileError) -> Int? {
    var word: UInt64 = 0
    let start = source.position
    var count = 0
    try withUnsafeMutableBytes(of: &word) { bytes throws(PointFileError) in
      if let base = bytes.baseAddress { count = try source.read(into: base, count: 8) }
    }
    head = word
    if count == 0 { return nil }
    guard count == 8 else { throw PointFileError(.truncated, "the data end early", place: "byte \(source.position)") }
    if word == fileMark { return 0 }
    let number = UInt64(littleEndian: word)
    guard UInt32(truncatingIfNeeded: number) == .max else {
      throw PointFileError(.foreignFormat, "is not an Arrow stream of version 0.15 or later", place: "byte \(start)")
    }
    let length = Int(number >> 32)
    guard length > 0 else { return nil }
    guard length <= metadataLimit else {
      let message = "a message has more than \(metadataLimit >> 20) MiB of metadata"
      throw PointFileError(.tooLarge, message, place: "byte \(start)")
    }
    return length
  }

  private static func message(
    _ source: ArrowSource, _ memory: ArrowMemory, length: Int
  ) throws(PointFileError) -> Message {
    let start = source.position
    try memory.fill(from: source, count: length)
    let buffer = FlatBuffer(bytes: UnsafeRawBufferPointer(start: memory.base, count: length), origin: start)
    let table = try buffer.table(at: 0)
    let bodyLength = try table.number(3, default: Int64(0))
    guard let header = try table.table(2), bodyLength >= 0, bodyLength <= bodyLimit else { throw buffer.damage(at: 0) }
    return Message(kind: try table.number(1, default: UInt8(0)), header: header, bodyLength: Int(bodyLength))
  }
}
