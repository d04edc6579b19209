/// The engine: finds contacts span after span of time, with any number of threads, and keeps what is open
/// at the end of a span for the next one.
final class ContactJoin {
  let rule: ContactRule
  let threads: Int
  private let single: SlabWorker
  /// Open at the end of the last span, when several threads work.
  private var carried: [Int32: OpenContacts] = [:]

  init(rule: ContactRule, threads: Int) {
    self.rule = rule
    self.threads = max(threads, 1)
    single = SlabWorker(rule: rule)
  }

  /// Slabs of about a dozen segments each: long enough that the sweep costs little, short enough that
  /// the boxes stay small.
  static func slabLength<Feed: SlabFeed>(of feed: Feed, asked: Int64?) -> Int64 {
    if let asked, asked > 0 { return asked }
    let typical = max(feed.typicalLength, 1)
    return min(max(typical * 12, 1_000), max(20_000, min(typical, 60_000)))
  }

  /// Works on `span` and hands over what cannot change any more; stops when `emit` answers false.
  func run<Feed: SlabFeed>(
    _ feed: Feed, span: Range<Int64>, slab: Int64?, isOrdered: Bool, emit: ([Contact]) -> Bool
  ) {
    let length = ContactJoin.slabLength(of: feed, asked: slab)
    if threads == 1 {
      var cursor = feed.cursor(at: span.lowerBound)
      var start = span.lowerBound
      while start < span.upperBound {
        start = withoutActuallyEscaping(emit) { emit in
          single.runSlab(
            feed, cursor: &cursor, at: start, of: span, length: length, early: isOrdered ? nil : emit)
        }
        guard single.drain(emit) else { return }
      }
    } else {
      runApart(feed, span: span, length: length, isOrdered: isOrdered, emit: emit)
    }
  }

  /// The contacts that may go on, in no order.
  var open: [OpenContact] {
    (threads == 1 ? single.open : carried).values.flatMap(\.entries)
  }

  /// Emits the contacts that are still open after the last slab.
  func finish(emit: ([Contact]) -> Bool) {
    let open = threads == 1 ? single.open : carried
    _ = emit(open.keys.sorted().flatMap { open[$0]?.entries.map(\.published) ?? [] })
    single.beginApart()
    carried = [:]
  }

  /// Joins what was found in a chunk to what earlier ones left open; answers what is closed now.
  func stitch(_ chunk: inout ChunkResult) -> [Contact] {
    // Taken out, so that it is not copied when it grows.
    var closed: [Contact] = []
    swap(&closed, &chunk.closed)
    var headsByFloor: [Int32: [OpenContact]] = [:]
    for head in chunk.heads { headsByFloor[head.floor, default: []].append(head) }
    let reach = chunk.end * 1_000_000 - OpenContact.join
    for floor in Set(carried.keys).union(headsByFloor.keys).union(chunk.tails.keys).sorted() {
      var earlier = carried[floor] ?? OpenContacts()
      var open: [OpenContact] = []
      for head in headsByFloor[floor] ?? [] where !earlier.join(head) {
        closed.append(head.published)
      }
      for var tail in chunk.tails[floor]?.entries ?? [] {
        if tail.isHead && earlier.join(tail) { continue }
        tail.isHead = false
        open.append(tail)
      }
      for entry in earlier.entries {
        if entry.end >= reach { open.append(entry) } else { closed.append(entry.published) }
      }
      carried[floor] = open.isEmpty ? nil : OpenContacts(open)
    }
    return closed
  }
}
