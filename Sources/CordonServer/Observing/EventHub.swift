internal import CordonCore
internal import CordonIngest
internal import NIOConcurrencyHelpers

/// Distributes live events to the watchers of each venue, at most twice a second.
final class EventHub: Sendable {
  private struct State {
    var watchers: [Int: (venue: VenueID, continuation: AsyncStream<LiveEvent>.Continuation)] = [:]
    var next = 0
    var sums: [VenueID: LiveEvent] = [:]
    var send: (@Sendable ([LiveEvent]) -> Void)?
  }

  private let state = NIOLockedValueBox(State())
  /// The maximum number of watchers.
  static let maximumWatchers = 200

  /// Sends the sums to other servers as well, at each ``flush()``.
  func forward(_ send: @escaping @Sendable ([LiveEvent]) -> Void) { state.withLockedValue { $0.send = send } }

  /// Adds events to the sums that the next ``flush()`` sends.
  func add(_ events: [LiveEvent]) {
    state.withLockedValue { state in
      guard !state.watchers.isEmpty || state.send != nil else { return }
      for event in events {
        guard var sum = state.sums[event.venue] else {
          state.sums[event.venue] = event
          continue
        }
        sum.time = event.time
        sum.stored += event.stored
        sum.refused += event.refused
        sum.contacts += event.contacts
        state.sums[event.venue] = sum
      }
    }
  }

  /// Sends events of another server to the watchers, at once.
  func deliver(_ events: [LiveEvent]) {
    state.withLockedValue { state in
      for event in events {
        for watcher in state.watchers.values where watcher.venue == event.venue { watcher.continuation.yield(event) }
      }
    }
  }

  /// Sends the sums to the watchers, and to other servers.
  func flush() {
    let (send, sums) = state.withLockedValue { state in
      for watcher in state.watchers.values {
        if let event = state.sums[watcher.venue] { watcher.continuation.yield(event) }
      }
      defer { state.sums.removeAll(keepingCapacity: true) }
      return (state.send, state.send == nil ? [] : state.sums.values.sorted { $0.venue < $1.venue })
    }
    if !sums.isEmpty { send?(sums) }
  }

  /// Returns the future events of a venue; `nil` at the maximum number of watchers.
  /// A slow watcher loses events, so that memory stays bounded.
  func watch(_ venue: VenueID) -> AsyncStream<LiveEvent>? {
    let (stream, continuation) = AsyncStream.makeStream(of: LiveEvent.self, bufferingPolicy: .bufferingNewest(16))
    let number = state.withLockedValue { state -> Int? in
      guard state.watchers.count < Self.maximumWatchers else { return nil }
      state.next += 1
      state.watchers[state.next] = (venue, continuation)
      return state.next
    }
    guard let number else { return nil }
    continuation.onTermination = { [state] _ in state.withLockedValue { $0.watchers[number] = nil } }
    return stream
  }

  /// Ends all watching.
  func finish() {
    let watchers = state.withLockedValue { state in
      defer { state.watchers.removeAll() }
      return Array(state.watchers.values)
    }
    for watcher in watchers { watcher.continuation.finish() }
  }
}
