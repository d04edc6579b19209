import CordonCore

/// The network of one phone: its offline periods, latencies and losses.
struct PhoneNetwork: Sendable {
  private let rule: PhoneSetup.Network
  private var random: RandomStream
  /// The offline periods, in order.
  private let gaps: [ClosedRange<Int64>]
  private var next = 0
  private(set) var isOnline = true

  /// The outcome of one request.
  enum Fate {
    /// The request arrives, and the response after a delay.
    case answered(after: TimeSpan)
    /// The request is lost.
    case lost
    /// The request arrives, but the response is lost.
    case answerLost
    /// The server fails, and its response arrives after a delay.
    case failed(after: TimeSpan)
    /// The phone is offline.
    case offline
  }

  init(_ rule: PhoneSetup.Network, random: RandomStream, from start: Instant, to end: Instant) {
    self.rule = rule
    self.random = random
    var gaps: [ClosedRange<Int64>] = []
    if rule.offlinePerDay > 0 {
      var time = Double(start.milliseconds)
      while true {
        time += self.random.nextExponential(mean: 86_400_000 / rule.offlinePerDay)
        guard time < Double(end.milliseconds) else { break }
        let length = self.random.nextExponential(mean: Double(rule.offlineMean.milliseconds))
        gaps.append(Int64(time)...Int64(time + length))
        time += length
      }
    }
    self.gaps = gaps
  }

  /// Advances to a time, and returns whether the network state changed.
  mutating func advance(to now: Instant) -> Bool {
    guard !gaps.isEmpty else { return false }
    while next < gaps.count, gaps[next].upperBound < now.milliseconds { next += 1 }
    let online = next >= gaps.count || now.milliseconds < gaps[next].lowerBound
    defer { isOnline = online }
    return online != isOnline
  }

  mutating func fate() -> Fate {
    guard isOnline else { return .offline }
    // A perfect network draws no random numbers, which saves time.
    if rule.loss == 0, rule.serverErrors == 0, rule.latency.milliseconds <= 250 {
      return .answered(after: rule.latency)
    }
    let factor = PortableMath.exp(0.5 * random.nextNormal())
    let latency = TimeSpan(milliseconds: Int64(min(Double(rule.latency.milliseconds) * factor, 59_000)))
    let draw = random.nextUnit()
    if draw < rule.loss / 2 { return .lost }
    if draw < rule.loss { return .answerLost }
    return random.nextUnit() < rule.serverErrors ? .failed(after: latency) : .answered(after: latency)
  }
}
