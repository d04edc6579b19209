/// The source of the segments of the engine. A cursor requests spans of time in rising order.
protocol SlabFeed: Sendable {
  /// Where in the feed a thread stands.
  associatedtype Cursor

  /// From the first start to the millisecond after the last end, milliseconds since 1970; `nil` when there is nothing.
  var span: Range<Int64>? { get }

  /// A middling length of the segments, in milliseconds.
  var typicalLength: Int64 { get }

  /// About how many segments there are.
  var estimatedCount: Int { get }

  /// Stands before the first segment that ends after `time`.
  func cursor(at time: Int64) -> Cursor

  /// Goes on to a slab that is much later than the last one. Stands at or before where it must.
  func seek(_ cursor: inout Cursor, to time: Int64)

  /// Writes every segment that overlaps the slab for a positive time and every instant in it (lone fixes, and the ends of
  /// stretches of segments), and moves the cursor to the slab's end.
  func load(_ cursor: inout Cursor, into slab: SlabTracks)

  /// When the first segment or instant begins at or after `time`, milliseconds since 1970; `nil` when none does. The cursor
  /// stands at an earlier time.
  func nextStart(_ cursor: Cursor, from time: Int64) -> Int64?
}

extension SlabFeed {
  func seek(_ cursor: inout Cursor, to time: Int64) {}
}
