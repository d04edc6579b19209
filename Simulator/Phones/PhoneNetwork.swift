import CordonCore

/// The network of one phone: when it is there, how long an answer takes, what gets lost.
struct PhoneNetwork: Sendable {
  private let rule: PhoneSetup.Network
  private var random: RandomStream
  /// Offline periods, in order.
  private let gaps: [ClosedRange<Int64>]
  private var next = 0
  private(set) var isOnline = true

  /// What becomes of one request.
  enum Fate {
    /// It arrives, and the answer after a while.
    case answered(after: TimeSpan)
    /// It never arrives; nothing comes back.
    case lost
    /// It arrives, but the answer does not.
    case answerLost
    /// The server fails.
    case failed(after: TimeSpan)
    /// There is no network.
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

  /// Goes on to a time; true when the network came or went.
  mutating func advance(to now: Instant) -> Bool {
    guard !gaps.isEmpty else { return false }
    while next < gaps.count, gaps[next].upperBound < now.milliseconds { next += 1 }
    let online = next >= gaps.count || now.milliseconds < gaps[next].lowerBound
    defer { isOnline = online }
    return online != isOnline
  }

  mutating func fate() -> Fate {
    guard isOnline else { return .offline }
    // A perfect network draws nothing, so that it costs nothing.
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
