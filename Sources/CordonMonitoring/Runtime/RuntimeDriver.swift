package import CordonCore

/// Drives one ``Runtime``: steps it, hands out what it asks for, passes responses back and fires its timer.
///
/// The driver has no clock, network or thread. The program around it, such as an app, a simulated phone or a test, owns
/// those. It does the following:
///
/// 1. It passes on each event with ``step(_:at:)`` and each response with ``receive(_:at:)``.
/// 2. After each of them it performs what ``nextOutput()`` returns, until that is `nil`. A response that is at hand at once
///    is received within the same loop.
/// 3. It lets time pass. A virtual clock moves with ``advance(to:)``; a real one sleeps until ``nextTimer``, and then steps
///    with ``MonitorEvent/wake``.
/// 4. When the process ends, it calls ``kill()``, and later sets ``runtime`` to one that was opened from the same store.
package struct RuntimeDriver {
  /// The runtime. Replaced when its process restarts.
  package var runtime: Runtime
  /// The time of the last step, or a later one that the program set.
  package var now: ClockReading
  /// What steps asked for and ``nextOutput()`` has not handed out yet, and the memory of the effects of a step.
  ///
  /// It is empty between two events. Programs with many drivers may therefore swap one output into the driver that they
  /// use.
  package var output = MonitorOutput()
  private var held: [(due: TimeSpan, response: SinkResponse)] = []

  /// A driver of a runtime that was opened at a time.
  package init(_ runtime: consuming Runtime, at now: ClockReading) {
    self.runtime = runtime
    self.now = now
  }

  /// Passes on an event that happens now.
  /// - Returns: the verdict on the fix, if the event is one.
  @discardableResult
  package mutating func step(_ event: MonitorEvent) -> Verdict { runtime.step(now, event, into: &output) }

  /// Passes on an event, and moves the clock to its time.
  @discardableResult
  package mutating func step(_ event: MonitorEvent, at time: ClockReading) -> Verdict {
    now = time
    return runtime.step(time, event, into: &output)
  }

  /// Passes on a response that arrives now. The runtime ignores one that it does not await any more.
  package mutating func receive(_ response: SinkResponse) { runtime.step(now, response: response, into: &output) }

  /// Passes on a response, and moves the clock to its time.
  package mutating func receive(_ response: SinkResponse, at time: ClockReading) {
    now = time
    receive(response)
  }

  /// Returns the output since the last call; `nil` when there is none.
  ///
  /// The program performs the commands, then reports the notices, then sends the requests.
  package mutating func nextOutput() -> MonitorOutput? {
    if output.isEmpty { return nil }
    var next = MonitorOutput()
    swap(&next.commands, &output.commands)
    swap(&next.notices, &output.notices)
    swap(&next.requests, &output.requests)
    return next
  }

  /// When, on the monotonic clock, the runtime needs a step at the latest; `nil` when nothing is due.
  package var nextTimer: TimeSpan? { runtime.nextTimer }

  /// Whether the runtime awaits the response to a request.
  package var hasRequestsInFlight: Bool { runtime.hasRequestsInFlight }
}

/// Time of a virtual clock.
extension RuntimeDriver {
  /// Returns when the timer fires next, if it is due by `end`. A timer that is overdue fires a millisecond from now.
  package func nextWake(by end: ClockReading) -> ClockReading? {
    guard let due = runtime.nextTimer, due <= end.monotonic else { return nil }
    return now + max(due - now.monotonic, .milliseconds(1))
  }

  /// Moves the clock to the next timer by `end` and fires it, or moves the clock to `end`.
  /// - Returns: whether a timer fired; the program then performs its output and calls again.
  package mutating func advance(to end: ClockReading) -> Bool {
    if let time = nextWake(by: end) {
      step(.wake, at: time)
      return true
    }
    if end.monotonic > now.monotonic { now = end }
    return false
  }
}

/// Responses on their way, for networks with a delay.
extension RuntimeDriver {
  /// Holds a response back until a time on the monotonic clock.
  package mutating func hold(_ response: SinkResponse, until due: TimeSpan) { held.append((due, response)) }

  /// When the next response arrives that is held back; `nil` when there is none.
  package var nextResponse: TimeSpan? { held.isEmpty ? nil : held.map(\.due).min() }

  /// Passes on one response that has arrived by a time, in the order in which they were held back.
  /// - Returns: whether there was one; the program then performs its output and calls again.
  package mutating func receiveHeld(at time: ClockReading) -> Bool {
    guard let index = held.firstIndex(where: { $0.due <= time.monotonic }) else { return false }
    receive(held.remove(at: index).response, at: time)
    return true
  }

  /// Drops the state that a process loses when it ends: responses on their way, and output that was not handed out.
  package mutating func kill() {
    held.removeAll()
    output.removeAll()
  }
}
