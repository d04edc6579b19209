/// The times at which a spot is taken: disjoint spans in ascending order.
///
/// Overlapping spans are merged, so a query takes logarithmic time for any number of bookings.
struct BookedTimes {
  private var spans: [ClosedRange<Int64>] = []

  /// Whether no span is booked.
  var isEmpty: Bool { spans.isEmpty }

  /// Checks whether no booked span overlaps a span.
  func isFree(_ span: ClosedRange<Int64>) -> Bool {
    let next = firstEnding(from: span.lowerBound)
    return next == spans.count || spans[next].lowerBound > span.upperBound
  }

  /// Returns the first time from `time` on at which a span of some length is free.
  func firstGap(from time: Int64, length: Int64) -> Int64 {
    var start = time
    var next = firstEnding(from: time)
    while next < spans.count, spans[next].lowerBound <= start + length {
      start = spans[next].upperBound + 1
      next += 1
    }
    return start
  }

  /// Books a span, whether it is free or not.
  mutating func book(_ span: ClosedRange<Int64>) {
    let first = firstEnding(from: span.lowerBound)
    var last = first
    while last < spans.count, spans[last].lowerBound <= span.upperBound { last += 1 }
    guard first < last else { return spans.insert(span, at: first) }
    let whole =
      min(spans[first].lowerBound, span.lowerBound)...max(spans[last - 1].upperBound, span.upperBound)
    spans.replaceSubrange(first..<last, with: CollectionOfOne(whole))
  }

  /// Returns the index of the first span that ends at a time or later.
  private func firstEnding(from time: Int64) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].upperBound < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
