/// Yields until a condition holds. After a minute it throws, so that a broken program fails the test instead of hanging the run.
/// - Parameter condition: what must come true. It runs on the caller's actor.
/// - Throws: `WaitedTooLong`, or what the condition throws.
nonisolated(nonsending) package func wait(
  until condition: nonisolated(nonsending) () async throws -> Bool, file: StaticString = #fileID, line: UInt = #line
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(60)
  while !(try await condition()) {
    if clock.now > end { throw WaitedTooLong(place: "\(file):\(line)") }
    await Task.yield()
  }
}

/// A condition that did not hold within a minute.
package struct WaitedTooLong: Error {
  /// File and line of the call.
  package let place: String
}
