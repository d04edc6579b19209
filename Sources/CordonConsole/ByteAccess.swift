extension [UInt8] {
  /// Calls a function with the bytes; what it throws keeps its type.
  func withBytes<E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    let result: Result<Void, E> = withUnsafeBytes { bytes in
      do throws(E) {
        try body(bytes)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
