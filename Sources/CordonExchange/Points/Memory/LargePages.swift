#if canImport(Glibc)
  internal import Glibc
#endif

/// Memory in pages of two mebibytes, where the system has some and gives them to who asks.
///
/// The engine goes from device to device, each of whose points lie elsewhere: with small pages nearly every step is to a page
/// that the processor has to look up.
enum LargePages {
  private static let size = 1 << 21

  /// Asks for them, before the memory is written to. Where there are none nothing changes.
  static func ask(for memory: UnsafeMutableRawBufferPointer) {
    #if canImport(Glibc)
      guard let base = memory.baseAddress else { return }
      let first = (UInt(bitPattern: base) + UInt(size) - 1) & ~(UInt(size) - 1)
      let end = (UInt(bitPattern: base) + UInt(memory.count)) & ~(UInt(size) - 1)
      guard first < end, let pages = UnsafeMutableRawPointer(bitPattern: first) else { return }
      _ = madvise(pages, Int(end - first), MADV_HUGEPAGE)
    #endif
  }
}
