import Dispatch

/// `transform(0 ..< count)` on several threads, results in order.
///
/// Which thread does what depends on the machine; the result does not, as long as `transform` is a function of its argument.
func parallelMap<Value: Sendable>(
  count: Int, threads: Int, _ transform: @Sendable (Int) -> Value
) -> [Value] {
  let workers = min(max(threads, 1), count)
  guard workers > 1 else { return (0..<count).map(transform) }
  return [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
    let results = Results(base: buffer)
    // Strided, so that neighbours in the list, often alike in cost, are shared out.
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for index in stride(from: worker, to: count, by: workers) { results.put(transform(index), at: index) }
    }
    initialized = count
  }
}

/// A buffer that several threads fill.
///
/// `@unchecked Sendable` holds because each index is written by one worker only, and nobody reads before all are done.
private struct Results<Value>: @unchecked Sendable {
  let base: UnsafeMutableBufferPointer<Value>

  func put(_ value: Value, at index: Int) { (base.baseAddress! + index).initialize(to: value) }
}
