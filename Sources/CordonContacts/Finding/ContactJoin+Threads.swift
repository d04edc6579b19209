internal import Dispatch

extension ContactJoin {
  /// Cuts `span` into chunks of whole slabs, lets the threads work on them apart, and joins the contacts
  /// that cross from one chunk to the next in the order of time.
  func runApart<Feed: SlabFeed>(
    _ feed: Feed, span: Range<Int64>, length: Int64, isOrdered: Bool, emit: ([Contact]) -> Bool
  ) {
    let chunks = ContactJoin.chunks(
      of: span, length: length, segments: feed.estimatedCount, threads: threads)
    let line = ChunkLine(slots: threads * 2)
    let rule = rule
    withoutActuallyEscaping(emit) { emit in
      // One thread at a time uses each: `emit` the thread with the turn, `join` the thread that set `isDelivering`. The call
      // returns before either goes out of scope.
      nonisolated(unsafe) let emit = emit
      nonisolated(unsafe) let join = self
      DispatchQueue.concurrentPerform(iterations: min(threads, chunks.count)) { _ in
        let worker = SlabWorker(rule: rule)
        var cursor = feed.cursor(at: span.lowerBound)
        while let number = line.take(below: chunks.count) {
          worker.beginApart(reusing: line.takeSpare())
          feed.seek(&cursor, to: chunks[number].lowerBound)
          // What nothing can change any more need not wait for its turn when order does not matter, and is in the cache.
          worker.run(
            feed, cursor: &cursor, span: chunks[number], length: length,
            early: isOrdered ? nil : { contacts in line.inTurn { emit(contacts) } })
          let result = ChunkResult(
            end: chunks[number].upperBound, closed: worker.takeClosed(), heads: worker.heads,
            tails: worker.open)
          line.deliver(result, number: number) { result in
            var closed = join.stitch(&result)
            let goesOn = line.inTurn { emit(closed) }
            closed.removeAll(keepingCapacity: true)
            line.giveSpare(closed)
            return goesOn
          }
        }
      }
    }
  }

  /// About 128 000 segments to a chunk, so that jumping from one to the next costs little; towards the end ever smaller
  /// ones, so that no thread is left with much when the others are done.
  static func chunks(of span: Range<Int64>, length: Int64, segments: Int, threads: Int) -> [Range<Int64>] {
    let slabs = max((span.upperBound - span.lowerBound) / length + 1, 1)
    let largest = max(slabs / Int64(max(segments / 128_000, 1)), 1)
    let least = max(min(slabs / Int64(threads * 32), largest / 8), 1)
    var chunks: [Range<Int64>] = []
    var start = span.lowerBound
    while start < span.upperBound {
      let rest = (span.upperBound - start) / length + 1
      let width = max(min(largest, rest / Int64(threads * 2)), least)
      // Whole slabs, but for the first and the last.
      let end = min(start.flooredMultiple(of: length) + width * length, span.upperBound)
      chunks.append(start..<end)
      start = end
    }
    return chunks
  }
}

/// The contacts that a thread found in a chunk of slabs.
struct ChunkResult {
  var end: Int64
  var closed: [Contact]
  var heads: [OpenContact]
  var tails: [Int32: OpenContacts]
}

/// Hands out chunks by number and takes the results in the order of the numbers, a few at most waiting.
///
/// `@unchecked Sendable` holds because every stored variable is read and written only between a wait for `lock` and the
/// signal that ends it; `lock`, `turn` and `slots` are constants, and semaphores are made for several threads.
private final class ChunkLine: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private let turn = DispatchSemaphore(value: 1)
  private let slots: DispatchSemaphore
  private var nextTaken = 0
  private var nextDelivered = 0
  private var waiting: [Int: ChunkResult] = [:]
  private var isDelivering = false
  private var isStopped = false
  /// Empty arrays that have room: taking pages from the system for each chunk costs more than filling them.
  private var spares: [[Contact]] = []

  /// Does what one thread at a time may do, unless nothing more is wanted.
  func inTurn(_ body: () -> Bool) -> Bool {
    turn.wait()
    defer { turn.signal() }
    lock.wait()
    let isOver = isStopped
    lock.signal()
    guard !isOver else { return false }
    guard !body() else { return true }
    lock.wait()
    isStopped = true
    lock.signal()
    return false
  }

  func takeSpare() -> [Contact] {
    lock.wait()
    defer { lock.signal() }
    return spares.popLast() ?? []
  }

  func giveSpare(_ spare: [Contact]) {
    lock.wait()
    defer { lock.signal() }
    spares.append(spare)
  }

  init(slots: Int) { self.slots = DispatchSemaphore(value: slots) }

  func take(below count: Int) -> Int? {
    slots.wait()
    lock.wait()
    defer { lock.signal() }
    guard nextTaken < count, !isStopped else {
      slots.signal()
      return nil
    }
    nextTaken += 1
    return nextTaken - 1
  }

  /// Hands on what is next in order, unless another thread is at it.
  func deliver(_ result: ChunkResult, number: Int, to receive: (inout ChunkResult) -> Bool) {
    lock.wait()
    waiting[number] = result
    if !isDelivering {
      isDelivering = true
      while var next = waiting.removeValue(forKey: nextDelivered) {
        let goesOn = !isStopped
        lock.signal()
        let accepted = goesOn && receive(&next)
        lock.wait()
        if !accepted { isStopped = true }
        nextDelivered += 1
        slots.signal()
      }
      isDelivering = false
    }
    lock.signal()
  }
}
