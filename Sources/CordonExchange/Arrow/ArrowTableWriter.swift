/// Writes a table as Arrow IPC, batch after batch.
///
/// The caller writes the bytes: ``head`` first, then what ``add(_:)`` returns, and ``finish()`` last. A file also has a mark at both
/// ends and a list of its batches. Source: as for ``ArrowStreamReader``.
package struct ArrowTableWriter {
  /// Rows of a batch.
  static let batchRows = 1 << 16
  /// Bytes of texts in a column of a batch, whose offsets have 32 bits.
  static let textLimit = 1 << 30

  private let columns: [TableColumn]
  private let name: String
  private let isFile: Bool
  private var builders: [ArrowColumnBuilder]
  private var position = 0
  private var blocks: [[Int64]] = []

  /// A writer.
  /// - Parameters:
  ///   - columns: the columns of the table.
  ///   - name: the kind of table, the metadata `cordon.table` of the schema.
  ///   - isFile: whether the form of files is written; else that of streams.
  package init(_ columns: [TableColumn], name: String, isFile: Bool) {
    self.columns = columns
    self.name = name
    self.isFile = isFile
    builders = columns.map { ArrowColumnBuilder($0.kind) }
  }

  private static let mark: [UInt8] = Array("ARROW1".utf8)

  /// The bytes before the first batch.
  package mutating func head() -> [UInt8] {
    var builder = FlatBuilder()
    let schema = schema(in: &builder)
    let bytes = (isFile ? ArrowTableWriter.mark + [0, 0] : []) + message(1, header: schema, builder, body: [])
    position += bytes.count
    return bytes
  }

  /// Adds a row, with a value for each column.
  /// - Returns: the bytes of a batch that the row completes; empty for other rows.
  package mutating func add(_ row: [TableValue]) -> [UInt8] {
    for k in builders.indices { builders[k].append(k < row.count ? row[k] : .missing) }
    return isFull ? batch() : []
  }

  /// Adds many rows column by column, which takes a fraction of the time of ``add(_:)``; the batches are the same.
  /// - Parameters:
  ///   - rows: what the rows are made of.
  ///   - fill: appends a value for each of the given rows to the columns, in the order of the columns. Columns that it leaves out
  ///     have no values in these rows.
  /// - Returns: the bytes of the batches that the rows complete.
  package mutating func add<Row>(
    _ rows: [Row], _ fill: (ArraySlice<Row>, inout [ArrowColumnBuilder]) -> Void
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var next = 0
    while next < rows.count, let count = builders.first?.count {
      // Few at a time, so that the texts of a batch stay below their limit.
      let step = min(rows.count - next, ArrowTableWriter.batchRows - count, 1 << 10)
      fill(rows[next..<(next + step)], &builders)
      for k in builders.indices { builders[k].appendMissing(rows: count + step - builders[k].count) }
      if isFull {
        // Nearly always the only one, which need not be copied.
        let batch = batch()
        if bytes.isEmpty { bytes = batch } else { bytes += batch }
      }
      next += step
    }
    return bytes
  }

  private var isFull: Bool {
    guard let first = builders.first else { return false }
    return first.count >= ArrowTableWriter.batchRows
      || builders.contains { $0.textSize >= ArrowTableWriter.textLimit }
  }

  /// The last batch and the end.
  package mutating func finish() -> [UInt8] {
    var bytes = builders.first?.count ?? 0 > 0 ? batch() : []
    bytes += [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
    guard isFile else { return bytes }
    let footer = footer()
    bytes += footer
    withUnsafeBytes(of: UInt32(footer.count).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + ArrowTableWriter.mark
  }

  private mutating func batch() -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(builders.reduce(0) { $0 + $1.size })
    var buffers: [[Int64]] = []
    for builder in builders { buffers += builder.append(to: &body) }
    var builder = FlatBuilder()
    let nodes = builder.structs(builders.map { [Int64($0.count), Int64($0.nullCount)] })
    let places = builder.structs(buffers)
    builder.begin(fields: 5)
    builder.set(0, Int64(builders.first?.count ?? 0))
    builder.set(1, reference: nodes)
    builder.set(2, reference: places)
    let bytes = message(3, header: builder.end(), builder, body: body)
    blocks.append([Int64(position), Int64(bytes.count - body.count), Int64(body.count)])
    position += bytes.count
    for k in builders.indices { builders[k].clear() }
    return bytes
  }

  /// A message: a mark, the length of the metadata, the metadata and the body.
  private func message(_ kind: UInt8, header: FlatBuilder.Offset, _ builder: FlatBuilder, body: [UInt8]) -> [UInt8] {
    var builder = builder
    builder.begin(fields: 5)
    builder.set(3, Int64(body.count))
    builder.set(2, reference: header)
    // Version 1.0 of the format.
    builder.set(0, Int16(4))
    builder.set(1, kind)
    let root = builder.end()
    let metadata = builder.finish(root)
    var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    bytes.reserveCapacity(8 + metadata.count + body.count)
    withUnsafeBytes(of: UInt32(metadata.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes += metadata
    bytes += body
    return bytes
  }

  private func footer() -> [UInt8] {
    var builder = FlatBuilder()
    let schema = schema(in: &builder)
    let dictionaries = builder.structs([])
    let batches = builder.structs(blocks)
    builder.begin(fields: 5)
    builder.set(1, reference: schema)
    builder.set(2, reference: dictionaries)
    builder.set(3, reference: batches)
    builder.set(0, Int16(4))
    let root = builder.end()
    return builder.finish(root)
  }

  private func schema(in builder: inout FlatBuilder) -> FlatBuilder.Offset {
    let fields = columns.map { field($0, in: &builder) }
    let list = builder.tables(fields)
    let metadata = pairs([("cordon.table", name)], in: &builder)
    builder.begin(fields: 4)
    builder.set(1, reference: list)
    builder.set(2, reference: metadata)
    return builder.end()
  }

  private func pairs(_ pairs: [(key: String, value: String)], in builder: inout FlatBuilder) -> FlatBuilder.Offset {
    let offsets = pairs.map { pair in
      let (key, value) = (builder.text(pair.key), builder.text(pair.value))
      builder.begin(fields: 2)
      builder.set(0, reference: key)
      builder.set(1, reference: value)
      return builder.end()
    }
    return builder.tables(offsets)
  }

  private func field(_ column: TableColumn, in builder: inout FlatBuilder) -> FlatBuilder.Offset {
    let name = builder.text(column.name)
    let zone = column.kind == .time ? builder.text("UTC") : 0
    let metadata = column.metadata.isEmpty ? 0 : pairs(column.metadata, in: &builder)
    let children = builder.tables([])
    builder.begin(fields: 2)
    let kind: UInt8
    switch column.kind {
    case .text: kind = 5
    case .number:
      kind = 3
      builder.set(0, Int16(2))
    case .count:
      kind = 2
      builder.set(0, Int32(64))
      builder.set(1, UInt8(1))
    case .flag: kind = 6
    case .time:
      kind = 10
      builder.set(0, Int16(2))
      builder.set(1, reference: zone)
    }
    let type = builder.end()
    builder.begin(fields: 7)
    builder.set(0, reference: name)
    builder.set(3, reference: type)
    builder.set(5, reference: children)
    if metadata > 0 { builder.set(6, reference: metadata) }
    builder.set(1, UInt8(1))
    builder.set(2, kind)
    return builder.end()
  }
}
