/// The types of Arrow columns that points and tables use.
enum ArrowType: Hashable, Sendable {
  case integer(bits: Int, isSigned: Bool)
  case float(bits: Int)
  case text(isLarge: Bool)
  case bool
  /// Times since 1970: how many units make a second, and the zone; without one they are readings of clocks.
  case timestamp(perSecond: Int64, zone: String?)
  /// A type that no field of a point has.
  case other(name: String)

  /// For messages.
  var name: String {
    switch self {
    case .integer(let bits, let isSigned): "\(isSigned ? "" : "u")int\(bits)"
    case .float(let bits): "float\(bits)"
    case .text(let isLarge): isLarge ? "large_utf8" : "utf8"
    case .bool: "bool"
    case .timestamp: "timestamp"
    case .other(let name): name
    }
  }
}

/// A column of a schema.
struct ArrowField {
  let name: String
  let type: ArrowType
  /// The number of its dictionary and the type of indices, when it has one; `type` is that of the values then.
  private(set) var dictionary: (id: Int64, index: ArrowType)?
  /// The nodes and buffers that it has in a batch, with those of its children.
  private(set) var nodes = 1
  private(set) var buffers = 2
  /// Whether the number of its buffers is known; it is not for views.
  private(set) var isLayoutKnown = true

  /// Levels of nested columns.
  private static let depthLimit = 32

  init(_ table: FlatTable, depth: Int = 0, room: inout Int) throws(PointFileError) {
    room -= 1
    guard depth < ArrowField.depthLimit, room >= 0 else {
      throw PointFileError(.tooLarge, "more than \(ArrowSchema.columnLimit) columns, or too deeply nested ones")
    }
    name = try table.text(0) ?? ""
    let kind = Int(try table.number(2, default: UInt8(0)))
    let parameters = try table.table(3)
    type = try ArrowField.type(kind, parameters)
    if let encoding = try table.table(4) {
      var index = ArrowType.integer(bits: 32, isSigned: true)
      if let stated = try encoding.table(1) { index = try ArrowField.integer(stated) }
      dictionary = (try encoding.number(0, default: Int64(0)), index)
      return
    }
    dictionary = nil
    switch kind {
    case 1: buffers = 0
    case 4, 5, 19, 20: buffers = 3
    case 12, 17, 21: buffers = 2
    case 13, 16: buffers = 1
    case 14, 22, 23, 24, 25, 26: isLayoutKnown = false
    default: break
    }
    for child in try table.tables(5, limit: ArrowSchema.columnLimit) {
      let child = try ArrowField(child, depth: depth + 1, room: &room)
      nodes += child.nodes
      buffers += child.buffers
      isLayoutKnown = isLayoutKnown && child.isLayoutKnown
    }
  }

  /// The column of the values of its dictionary; `nil` without one.
  var ofValues: ArrowField? {
    guard dictionary != nil else { return nil }
    var field = self
    field.dictionary = nil
    if case .text = type { field.buffers = 3 }
    return field
  }

  private static let otherNames = [
    "none", "null", "int", "float", "binary", "utf8", "bool", "decimal", "date", "time", "timestamp", "interval",
    "list",
    "struct", "union", "fixed_size_binary", "fixed_size_list", "map", "duration", "large_binary", "large_utf8",
    "large_list", "run_end_encoded", "binary_view", "utf8_view", "list_view", "large_list_view",
  ]

  private static func type(_ kind: Int, _ parameters: FlatTable?) throws(PointFileError) -> ArrowType {
    switch kind {
    case 2:
      guard let parameters else { return .other(name: "int") }
      return try integer(parameters)
    case 3:
      switch try parameters?.number(0, default: Int16(0)) ?? 0 {
      case 1: return .float(bits: 32)
      case 2: return .float(bits: 64)
      default: return .other(name: "float16")
      }
    case 5: return .text(isLarge: false)
    case 6: return .bool
    case 10:
      let units: [Int64] = [1, 1_000, 1_000_000, 1_000_000_000]
      let unit = Int(try parameters?.number(0, default: Int16(0)) ?? 0)
      guard units.indices.contains(unit) else { return .other(name: "timestamp") }
      let zone = try parameters?.text(1)
      return .timestamp(perSecond: units[unit], zone: zone?.isEmpty == true ? nil : zone)
    case 20: return .text(isLarge: true)
    default: return .other(name: otherNames.indices.contains(kind) ? otherNames[kind] : "of an unknown type")
    }
  }

  private static func integer(_ table: FlatTable) throws(PointFileError) -> ArrowType {
    let bits = Int(try table.number(0, default: Int32(0)))
    return [8, 16, 32, 64].contains(bits) ? .integer(bits: bits, isSigned: try table.flag(1)) : .other(name: "int")
  }
}

/// The columns of a stream.
struct ArrowSchema {
  /// The largest number of columns of a stream, with nested ones.
  static let columnLimit = 10_000

  let fields: [ArrowField]
  /// For each field its first node and its first buffer in a batch; `nil` behind a column whose layout is not known.
  let starts: [(node: Int, buffer: Int)?]
  let nodeCount: Int
  let bufferCount: Int

  init(_ table: FlatTable) throws(PointFileError) {
    guard try table.number(0, default: Int16(0)) == 0 else {
      throw PointFileError(.foreignFormat, "has big-endian numbers; write it with little-endian ones")
    }
    var fields: [ArrowField] = []
    var starts: [(node: Int, buffer: Int)?] = []
    var (node, buffer, isKnown, room) = (0, 0, true, ArrowSchema.columnLimit)
    for table in try table.tables(1, limit: ArrowSchema.columnLimit) {
      let field = try ArrowField(table, room: &room)
      isKnown = isKnown && field.isLayoutKnown
      starts.append(isKnown ? (node, buffer) : nil)
      node += field.nodes
      buffer += field.buffers
      fields.append(field)
    }
    self.fields = fields
    self.starts = starts
    (nodeCount, bufferCount) = (node, buffer)
  }
}
