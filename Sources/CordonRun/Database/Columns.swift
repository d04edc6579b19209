import CordonContacts
import CordonCore
import CordonGeometry

/// The encoding of floor numbers in columns.
enum FloorNumber {
  /// Returns thousandths as an ordinal; `nil` for an unknown floor.
  static func ordinal(_ thousandths: Int32) -> Double? {
    thousandths == Segment.unknownFloor ? nil : Double(thousandths) / 1_000
  }

  /// Returns an ordinal as thousandths.
  static func thousandths(_ ordinal: Double?) -> Int32 {
    ordinal.flatMap { FloorOrdinal($0) }?.thousandths ?? Segment.unknownFloor
  }
}

enum SpaceNumber {
  static func stored(_ space: Int32) -> Int64? { space == ObservedLocation.noSpace ? nil : Int64(space) }
}

enum TenthMillimetres {
  /// Returns metres as whole tenths of a millimetre. The contents were checked to be finite and possible on earth.
  static func of(_ metres: Double) -> Int64 { Int64((metres * 1e4).rounded()) }

  static func metres(_ count: Int64) -> Double { Double(count) / 1e4 }
}

/// Lines in the plane as JSON: `[[[x,y],...],...]`, in metres, rounded to the millimetre.
enum PlaneLines {
  static func json(_ lines: [[PlanePoint]]) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "[")]
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "["))
      for (index, point) in line.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "["))
        bytes.append(thousandths: Int64((point.x * 1_000).rounded()))
        bytes.append(UInt8(ascii: ","))
        bytes.append(thousandths: Int64((point.y * 1_000).rounded()))
        bytes.append(UInt8(ascii: "]"))
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "]"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the lines that ``json(_:)`` wrote; `nil` for any other text.
  static func lines(_ json: String) -> [[PlanePoint]]? {
    var lines: [[PlanePoint]] = []
    var numbers: [Double] = []
    var digits = ""
    var depth = 0
    for byte in json.utf8 {
      switch byte {
      case UInt8(ascii: "["):
        depth += 1
        guard depth <= 3 else { return nil }
        if depth == 2 { lines.append([]) }
      case UInt8(ascii: "]"), UInt8(ascii: ","):
        if !digits.isEmpty {
          guard depth == 3, let number = Double(digits) else { return nil }
          numbers.append(number)
          digits = ""
        }
        guard byte == UInt8(ascii: "]") else { continue }
        if depth == 3 {
          guard numbers.count == 2 else { return nil }
          lines[lines.count - 1].append(PlanePoint(x: numbers[0], y: numbers[1]))
          numbers = []
        }
        depth -= 1
        guard depth >= 0 else { return nil }
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        digits.unicodeScalars.append(Unicode.Scalar(byte))
      default: return nil
      }
    }
    return depth == 0 && digits.isEmpty ? lines : nil
  }
}
