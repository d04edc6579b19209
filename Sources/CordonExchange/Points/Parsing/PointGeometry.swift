/// A point as databases write it: WKT (`POINT Z (8.54 47.37 400)`, with `SRID=4326;` before it or not), or WKB and EWKB in
/// hexadecimal digits.
struct PointGeometry {
  let x: Double
  let y: Double
  /// Whether they are degrees; `nil` when no coordinate system is named.
  let isDegrees: Bool?

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(PointRowFault) {
    var rest = bytes[...]
    while let first = rest.first, first <= 0x20 { rest = rest.dropFirst() }
    guard let first = rest.first else { throw PointRowFault("the geometry is missing") }
    var system: Int?
    if first | 0x20 == UInt8(ascii: "s") {
      // SRID=4326;
      guard let mark = rest.firstIndex(of: UInt8(ascii: ";")), let equals = rest.firstIndex(of: UInt8(ascii: "=")),
        equals < mark, let number = Int(String(decoding: rest[(equals + 1)..<mark], as: UTF8.self))
      else { throw PointRowFault("the geometry is not a point") }
      system = number
      rest = rest[(mark + 1)...]
    }
    let isText = rest.first.map { $0 | 0x20 == UInt8(ascii: "p") } ?? false
    let point = isText ? try PointGeometry.text(rest) : try PointGeometry.binary(rest)
    guard point.x.isFinite, point.y.isFinite else { throw PointRowFault("the geometry is empty") }
    (x, y) = (point.x, point.y)
    isDegrees = try PointGeometry.isDegrees(system ?? point.system)
  }

  /// Geographic systems that differ by less than any receiver errs.
  private static func isDegrees(_ system: Int?) throws(PointRowFault) -> Bool? {
    switch system {
    case nil, 0: return nil
    case 4326, 4979, 4258, 4269: return true
    case 3857, 900_913, 3785:
      throw PointRowFault("the geometry is in web Mercator, where metres are too long; transform it to EPSG:4326")
    default: return false
    }
  }

  private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(PointRowFault) -> (
    x: Double, y: Double, system: Int?
  ) {
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")), let close = bytes.firstIndex(of: UInt8(ascii: ")")),
      open < close,
      ["point", "pointz", "pointm", "pointzm"].contains(
        String(decoding: bytes[..<open].filter { $0 > 0x20 }, as: UTF8.self).lowercased())
    else { throw PointRowFault("the geometry is not a point") }
    let numbers = bytes[(open + 1)..<close].split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    guard numbers.count >= 2, let x = NumberParsing.double(UnsafeBufferPointer(rebasing: numbers[0])),
      let y = NumberParsing.double(UnsafeBufferPointer(rebasing: numbers[1]))
    else { throw PointRowFault("the geometry is not a point") }
    return (x, y, nil)
  }

  private static func binary(_ digits: Slice<UnsafeBufferPointer<UInt8>>) throws(PointRowFault) -> (
    x: Double, y: Double, system: Int?
  ) {
    var rest = digits
    // \x of PostgreSQL, 0x of others.
    if rest.count > 2, rest[rest.startIndex + 1] | 0x20 == UInt8(ascii: "x") { rest = rest.dropFirst(2) }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in rest where digit > 0x20 {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else {
        throw PointRowFault("the geometry is not a point")
      }
      if let found = high {
        bytes.append(found << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
      // Nothing that a point has comes later.
      if bytes.count > 64 { throw PointRowFault("the geometry is not a point") }
    }
    guard let order = bytes.first, order <= 1, high == nil else { throw PointRowFault("the geometry is not a point") }
    func whole(at place: Int, _ count: Int) -> UInt64? {
      guard place + count <= bytes.count else { return nil }
      let part = bytes[place..<(place + count)]
      return (order == 1 ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard let type = whole(at: 1, 4), (type & 0xFFFF) % 1_000 == 1, (type & 0xFFFF) / 1_000 <= 3 else {
      throw PointRowFault("the geometry is not a point")
    }
    let hasSystem = type & 0x2000_0000 != 0
    let system = hasSystem ? whole(at: 5, 4) : nil
    let begin = hasSystem ? 9 : 5
    guard let x = whole(at: begin, 8), let y = whole(at: begin + 8, 8) else {
      throw PointRowFault("the geometry is not a point")
    }
    return (Double(bitPattern: x), Double(bitPattern: y), system.map { Int($0) })
  }
}
