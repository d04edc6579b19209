/// Yields until a condition holds. After four minutes it throws, so that a broken program fails the test instead of hanging the run.
///
/// After the first thousand checks it pauses for a millisecond between two: a test that waits for a process leaves the processor to it.
/// - Parameter condition: what must come true. It runs on the caller's actor.
/// - Throws: `WaitedTooLong`, or what the condition throws.
nonisolated(nonsending) package func wait(
  until condition: nonisolated(nonsending) () async throws -> Bool, file: StaticString = #fileID, line: UInt = #line
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(240)
  var checks = 0
  while !(try await condition()) {
    if clock.now > end { throw WaitedTooLong(place: "\(file):\(line)") }
    checks += 1
    if checks < 1_000 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// A condition that did not hold within four minutes.
package struct WaitedTooLong: Error {
  /// File and line of the call.
  package let place: String
}
