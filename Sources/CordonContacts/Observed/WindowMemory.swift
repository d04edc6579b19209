internal import CContactKernel

/// The memory of a process that reads points window by window.
package enum WindowMemory {
  /// Keeps freed memory for the next window: the system clears every page that it gives anew, which otherwise takes a third of the
  /// time of reading. Call it once, before points are read.
  /// - Parameter bytes: how much is kept at most; by default four times the points of a window of half a million.
  package static func keepsFreed(bytes: Int = 1 << 28) { cordon_contact_keep_freed_memory(max(bytes, 0)) }
}
