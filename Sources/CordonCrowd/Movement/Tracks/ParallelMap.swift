import Dispatch

/// Applies `transform` to 0 ..< `count` on several threads, and returns the results in order.
///
/// The assignment of work to threads depends on the machine. The result does not, if `transform` depends only on its
/// argument.
package func parallelMap<Value: Sendable>(
  count: Int, threads: Int, _ transform: @Sendable (Int) -> Value
) -> [Value] {
  let workers = min(max(threads, 1), count)
  guard workers > 1 else { return (0..<count).map(transform) }
  return [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
    let results = Results(base: buffer)
    // Workers take every n-th index, because neighbours in the list often have similar costs.
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for index in stride(from: worker, to: count, by: workers) { results.put(transform(index), at: index) }
    }
    initialized = count
  }
}

/// A buffer that several threads fill.
///
/// `@unchecked Sendable` holds because each index is written by one worker, and the buffer is read only after all
/// workers have finished.
private struct Results<Value>: @unchecked Sendable {
  let base: UnsafeMutableBufferPointer<Value>

  func put(_ value: Value, at index: Int) { (base.baseAddress! + index).initialize(to: value) }
}
