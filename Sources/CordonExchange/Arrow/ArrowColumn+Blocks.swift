/// The values of many rows at once, in loops that the compiler turns into vector instructions.
extension ArrowColumn {
  /// Copies numbers; missing ones are NaN.
  /// - Parameters:
  ///   - rows: within the column.
  ///   - numbers: room for as many.
  /// - Returns: false for a column of another type.
  func copy(_ rows: Range<Int>, to numbers: UnsafeMutablePointer<Double>) -> Bool {
    switch storage {
    case .float64: convert(rows, Double.self, to: numbers) { $0 }
    case .float32: convert(rows, Float.self, to: numbers) { Double($0) }
    default:
      guard isWhole else { return false }
      for (k, row) in rows.enumerated() { numbers[k] = double(row) }
      return true
    }
    setMissing(rows, in: numbers, to: .nan)
    return true
  }

  /// Copies whole numbers of 64 bits after a division, towards the past; missing ones have the value that is given.
  /// - Returns: false for a column of another type, or another divisor than 1, 1 000 or 1 000 000.
  func copy(
    _ rows: Range<Int>, dividedBy divisor: Int64, missing: Int64, to numbers: UnsafeMutablePointer<Int64>
  ) -> Bool {
    guard storage == .int64 else { return false }
    // Constants, so that the compiler multiplies instead.
    switch divisor {
    case 1: convert(rows, Int64.self, to: numbers) { $0 }
    case 1_000: convert(rows, Int64.self, to: numbers) { ($0 &- ($0 &>> 63 & 999)) / 1_000 }
    case 1_000_000: convert(rows, Int64.self, to: numbers) { ($0 &- ($0 &>> 63 & 999_999)) / 1_000_000 }
    default: return false
    }
    setMissing(rows, in: numbers, to: missing)
    return true
  }

  /// Copies the indices of a column with a dictionary; missing ones are -1.
  /// - Returns: false for a column without a dictionary.
  func copyIndices(_ rows: Range<Int>, to indices: UnsafeMutablePointer<Int32>) -> Bool {
    guard dictionary != nil else { return false }
    switch storage {
    case .int32: convert(rows, Int32.self, to: indices) { $0 }
    case .int16: convert(rows, Int16.self, to: indices) { Int32($0) }
    case .int8: convert(rows, Int8.self, to: indices) { Int32($0) }
    default:
      for (k, row) in rows.enumerated() { indices[k] = whole(row).flatMap { Int32(exactly: $0) } ?? -1 }
      return true
    }
    setMissing(rows, in: indices, to: -1)
    return true
  }

  @inline(__always)
  private func convert<Value: BitwiseCopyable, Result>(
    _ rows: Range<Int>, _ type: Value.Type, to results: UnsafeMutablePointer<Result>, _ body: (Value) -> Result
  ) {
    let first = values + rows.lowerBound * MemoryLayout<Value>.size
    for k in 0..<rows.count {
      results[k] = body(first.loadUnaligned(fromByteOffset: k &* MemoryLayout<Value>.size, as: Value.self))
    }
  }

  @inline(__always)
  private func setMissing<Result>(
    _ rows: Range<Int>, in results: UnsafeMutablePointer<Result>, to value: Result
  ) {
    guard validity != nil else { return }
    for (k, row) in rows.enumerated() where !isValid(row) { results[k] = value }
  }
}
