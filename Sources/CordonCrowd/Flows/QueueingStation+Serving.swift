extension QueueingStation {
  /// An arrival that is known beforehand.
  package struct Visit: Hashable, Sendable {
    /// The time of arrival in the queue, in milliseconds since 1970.
    package var arrival: Int64
    /// The duration of service, in milliseconds.
    package var duration: Int64
    /// The time of the appointment, in milliseconds since 1970; `nil` for customers without one.
    package var appointment: Int64?

    /// Creates a visit from its parts.
    package init(arrival: Int64, duration: Int64, appointment: Int64? = nil) {
      self.arrival = arrival
      self.duration = duration
      self.appointment = appointment
    }
  }

  /// Serves customers whose arrivals and durations of service are known beforehand.
  ///
  /// Complexity: linear in the number of visits, times the number of servers.
  /// - Parameter visits: the visits, by time of arrival.
  /// - Returns: the span of each service, by index of the visit; `nil` for customers whom no server serves.
  package mutating func serve(_ visits: [Visit]) -> [Range<Int64>?] {
    var services = [Range<Int64>?](repeating: nil, count: visits.count)
    // The services in progress.
    var ends: [(time: Int64, customer: Int)] = []
    var next = 0
    var now = Int64.min
    while true {
      var end: Int?
      for index in ends.indices where end.map({ ends[index].time < ends[$0].time }) ?? true { end = index }
      let arrival = next < visits.count ? visits[next].arrival : Int64.max
      let completion = end.map { ends[$0].time } ?? .max
      let opening = waitingCount > 0 ? nextOpening(after: now) ?? .max : .max
      now = min(arrival, completion, opening)
      guard now < .max else { return services }
      if completion == now, let end {
        complete(ends[end].customer, at: now)
        ends.remove(at: end)
      } else if arrival == now {
        join(next, at: now, appointment: visits[next].appointment)
        next += 1
      }
      while let call = callNext(at: now) {
        let finish = now + max(visits[call.customer].duration, 0)
        services[call.customer] = now..<finish
        ends.append((finish, call.customer))
      }
    }
  }
}
