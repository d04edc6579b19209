/// A buffer for a file that must be read as a whole.
struct TraceDocument {
  private(set) var bytes: [UInt8] = []
  let limit: Int

  mutating func append(_ piece: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    guard bytes.count + piece.count <= limit else {
      throw TraceError(.tooLarge, "is larger than \(limit) bytes when unpacked")
    }
    bytes.append(contentsOf: piece)
  }
}
