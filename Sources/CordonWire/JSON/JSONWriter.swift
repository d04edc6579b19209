package import CordonCore

/// Writes JSON into memory that was made large enough beforehand.
package struct JSONWriter {
  private var bytes: UnsafeMutablePointer<UInt8>
  private let start: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  /// Bytes made by a closure, which must not write more than `capacity` of them.
  package static func bytes(capacity: Int, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      var writer = JSONWriter(bytes: base, start: base, end: base + buffer.count)
      body(&writer)
      count = writer.bytes - writer.start
    }
  }

  /// The most bytes that a string can take between its quotes.
  package static func room(for text: String) -> Int { 6 * text.utf8.count + 2 }

  @inline(__always)
  package mutating func put(_ byte: UInt8) {
    precondition(bytes < end, "more was written than was planned")
    bytes.pointee = byte
    bytes += 1
  }

  /// Writes text that needs no escapes.
  @inline(__always)
  package mutating func put(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    precondition(end - bytes >= count, "more was written than was planned")
    bytes.update(from: text.utf8Start, count: count)
    bytes += count
  }

  /// Writes a string with its quotes.
  package mutating func put(string: String) {
    var string = string
    put(UInt8(ascii: "\""))
    string.withUTF8 { utf8 in
      precondition(end - bytes >= 6 * utf8.count, "more was written than was planned")
      // Names rarely need an escape.
      if let base = utf8.baseAddress, !JSONWriter.needsEscapes(utf8) {
        bytes.update(from: base, count: utf8.count)
        bytes += utf8.count
        return
      }
      for byte in utf8 {
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          bytes.pointee = byte
          bytes += 1
        } else {
          escape(byte)
        }
      }
    }
    put(UInt8(ascii: "\""))
  }

  /// Without an early exit, so that the loop checks many bytes at once.
  private static func needsEscapes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var found: UInt8 = 0
    for byte in text {
      found |= (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0)
    }
    return found != 0
  }

  private mutating func escape(_ byte: UInt8) {
    put(UInt8(ascii: "\\"))
    if byte >= 0x20 {
      put(byte)
    } else {
      put("u00")
      put(JSONWriter.hexDigit(byte >> 4))
      put(JSONWriter.hexDigit(byte & 15))
    }
  }

  /// Writes a whole number.
  package mutating func put(_ number: Int64) {
    if number < 0 { put(UInt8(ascii: "-")) }
    put(unsigned: number.magnitude)
  }

  private mutating func put(unsigned number: UInt64) {
    var rest = number
    var count = 1
    var bound: UInt64 = 10
    while rest >= bound, count < 20 {
      count += 1
      let (product, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = product
    }
    precondition(end - bytes >= 20, "more was written than was planned")
    var index = count
    while index > 0 {
      index -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    bytes += count
  }

  /// Writes a number with up to `places` decimals (at most 9), without trailing zeros; `null` if it is not finite or huge.
  package mutating func put(_ number: Double, places: Int) {
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = (number.magnitude * Double(scale)).rounded()
    guard scaled < 9e18 else {
      put("null")
      return
    }
    let whole = UInt64(scaled)
    if number < 0, whole > 0 { put(UInt8(ascii: "-")) }
    let (units, fraction) = whole.quotientAndRemainder(dividingBy: scale)
    put(unsigned: units)
    guard fraction > 0 else { return }
    put(UInt8(ascii: "."))
    var rest = fraction
    precondition(end - bytes >= places, "more was written than was planned")
    for index in stride(from: places - 1, through: 0, by: -1) {
      bytes[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    var count = places
    while bytes[count - 1] == UInt8(ascii: "0") { count -= 1 }
    bytes += count
  }

  /// Writes an identifier with its quotes.
  package mutating func put(_ id: FixID) {
    precondition(end - bytes >= 38, "more was written than was planned")
    bytes[0] = UInt8(ascii: "\"")
    put(hexOf: id.high >> 32, digits: 8, at: 1)
    put(hexOf: id.high >> 16 & 0xffff, digits: 4, at: 10)
    put(hexOf: id.high & 0xffff, digits: 4, at: 15)
    put(hexOf: id.low >> 48, digits: 4, at: 20)
    put(hexOf: id.low >> 32 & 0xffff, digits: 4, at: 25)
    put(hexOf: id.low & 0xffff_ffff, digits: 8, at: 29)
    let dash = UInt8(ascii: "-")
    (bytes[9], bytes[14], bytes[19], bytes[24]) = (dash, dash, dash, dash)
    bytes[37] = UInt8(ascii: "\"")
    bytes += 38
  }

  /// Writes a number as so many digits, at a place after the last byte.
  @inline(__always)
  private func put(hexOf number: UInt64, digits: Int, at start: Int) {
    var rest = number
    var position = start &+ digits
    while position > start {
      position &-= 1
      bytes[position] = JSONWriter.hexDigit(UInt8(truncatingIfNeeded: rest) & 15)
      rest >>= 4
    }
  }

  @inline(__always)
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
