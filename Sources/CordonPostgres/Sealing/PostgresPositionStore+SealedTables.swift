internal import CordonIngest

/// Tables with sealed columns, for copies from one kind of store to another.
extension PostgresPositionStore {
  /// Whether columns of a table are sealed where the store is.
  static func isSealable(_ table: StoreTable) -> Bool { ["position", "contact"].contains(table.name) }

  /// The columns of a table that lie in `sealed`.
  private static func sealedNames(of table: StoreTable) -> Set<String> {
    table.name == "position"
      ? ["longitude", "latitude", "accuracy", "floor", "space", "battery"]
      : ["distance", "closest", "x", "y", "separationX", "separationY", "obstructed"]
  }

  private static func set(_ value: StoreValue, _ name: String, in row: inout [StoreValue], of table: StoreTable) {
    if let index = table.columns.firstIndex(where: { $0.name == name }) { row[index] = value }
  }

  private static func value(_ name: String, in row: [StoreValue], of table: StoreTable) -> StoreValue {
    table.columns.firstIndex { $0.name == name }.map { row[$0] } ?? .null
  }

  private static func int(_ name: String, in row: [StoreValue], of table: StoreTable) -> Int64? {
    if case .int(let number) = value(name, in: row, of: table) { number } else { nil }
  }

  private static func real(_ name: String, in row: [StoreValue], of table: StoreTable) -> Double {
    if case .real(let number) = value(name, in: row, of: table) { number } else { 0 }
  }

  /// The numbers that name a contact, and with which it is sealed.
  private static func meetingKey(_ row: [StoreValue], of table: StoreTable) -> [Int64] {
    ["first", "second", "start", "floor", "venue"].map { int($0, in: row, of: table) ?? 0 }
  }

  /// Fills in the columns that are sealed. Rows without a key are left out: they were erased.
  /// - Parameter column: the number of the column that holds them.
  func unseal(
    _ list: inout [[StoreValue]], of table: StoreTable, _ rows: PostgresRows, _ column: Int32
  ) throws(StoreFault) {
    let isPosition = table.name == "position"
    let sealed = rows.indices.filter { !rows.isNull($0, column) }
    guard !sealed.isEmpty else { return }
    let keys = try keys(of: sealed.flatMap { isPosition ? [rows.int($0, 0)] : [rows.int($0, 0), rows.int($0, 1)] })
    var erased: [Int] = []
    for index in sealed {
      let bytes = rows.blob(index, column)
      if isPosition {
        let device = rows.int(index, 0)
        guard let key = keys[device] else {
          erased.append(index)
          continue
        }
        let place = try SealedPlace(bytes, under: key, device, rows.int(index, 1), rows.int(index, 2))
        Self.set(.int(Int64(place.longitude)), "longitude", in: &list[index], of: table)
        Self.set(.int(Int64(place.latitude)), "latitude", in: &list[index], of: table)
        Self.set(.int(place.accuracy), "accuracy", in: &list[index], of: table)
        if let floor = place.floor { Self.set(.int(Int64(floor)), "floor", in: &list[index], of: table) }
        if let space = place.space { Self.set(.int(Int64(space)), "space", in: &list[index], of: table) }
        if let battery = place.battery { Self.set(.int(Int64(battery)), "battery", in: &list[index], of: table) }
        continue
      }
      guard let meeting = try meeting(bytes, Self.meetingKey(list[index], of: table), keys) else {
        erased.append(index)
        continue
      }
      Self.set(.int(meeting.closest), "closest", in: &list[index], of: table)
      for (name, value) in [
        ("distance", meeting.distance), ("x", meeting.x), ("y", meeting.y), ("separationX", meeting.separationX),
        ("separationY", meeting.separationY),
      ] { Self.set(.real(value), name, in: &list[index], of: table) }
      if let time = meeting.obstructed { Self.set(.int(time), "obstructed", in: &list[index], of: table) }
    }
    for index in erased.reversed() { list.remove(at: index) }
  }

  /// Puts rows into a table with their places encrypted.
  func addSealed(_ rows: [[StoreValue]], to table: StoreTable) throws(StoreFault) {
    let isPosition = table.name == "position"
    let devices = rows.flatMap { row in
      (isPosition ? ["device"] : ["first", "second"]).compactMap { Self.int($0, in: row, of: table) }
    }
    let keys = try keys(of: devices, making: true)
    var sealed: [[UInt8]?] = []
    for row in rows {
      func int(_ name: String) -> Int64? { Self.int(name, in: row, of: table) }
      func real(_ name: String) -> Double { Self.real(name, in: row, of: table) }
      if isPosition {
        let device = int("device") ?? 0
        guard let key = keys[device] else { throw StoreFault(.failed, "a device without a key") }
        let place = SealedPlace(
          accuracy: int("accuracy") ?? 0, longitude: Int32(truncatingIfNeeded: int("longitude") ?? 0),
          latitude: Int32(truncatingIfNeeded: int("latitude") ?? 0),
          floor: int("floor").map { Int32(truncatingIfNeeded: $0) },
          space: int("space").map { Int32(truncatingIfNeeded: $0) },
          battery: int("battery").map { Int16(truncatingIfNeeded: $0) })
        sealed.append(try place.sealed(under: key, device, int("high") ?? 0, int("low") ?? 0))
        continue
      }
      let key = Self.meetingKey(row, of: table)
      guard let one = keys[key[0]], let other = keys[key[1]] else {
        throw StoreFault(.failed, "a device without a key")
      }
      let meeting = SealedMeeting(
        distance: real("distance"), closest: int("closest") ?? 0, x: real("x"), y: real("y"),
        separationX: real("separationX"), separationY: real("separationY"), obstructed: int("obstructed"))
      sealed.append(try meeting.sealed(under: RowSeal.pair(one, other), key))
    }
    let hidden = Self.sealedNames(of: table)
    let open = table.columns.enumerated().filter { !hidden.contains($0.element.name) }
    let names = open.map { Self.name($0.element.name) }.joined(separator: ", ")
    let places = (1...open.count + 1).map { "$\($0)" }.joined(separator: ", ")
    try run(
      "INSERT INTO \(Self.name(table.name)) (\(names), sealed) SELECT * FROM unnest(\(places))",
      open.map { index, column in Self.column(rows.map { $0[index] }, column.kind) } + [.optionalBytesList(sealed)])
  }
}
