/// Known segments that come window after window of time, with those of earlier windows that reach into the next one.
package struct SegmentWindows: Sendable {
  private(set) var table = SegmentTable([])
  /// Segments that could not be used, over all windows.
  package private(set) var rejected = RejectedSegments()
  private var held: [Segment] = []

  /// No segments.
  package init() {}

  /// Adds the segments that begin in the next window, in any order.
  package mutating func add(_ segments: [Segment]) {
    table = SegmentTable(held + segments)
    rejected.unusable += table.rejected.unusable
    rejected.overlapping += table.rejected.overlapping
  }

  /// Forgets the segments that end before `end`, milliseconds.
  package mutating func release(before end: Int64) {
    held = table.segments.filter { $0.end >= end }
  }

  /// The segments that begin in a window of time, by device and time.
  package func segments(beginningIn window: Range<Int64>) -> [Segment] {
    table.segments.filter { window.contains($0.start) }
  }
}
