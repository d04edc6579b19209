import CordonCore

/// The presence that arrivals cause: how many people of those who arrive in one bin are still inside in later bins.
struct PresenceKernel: Hashable, Sendable {
  /// The mean number of people in the bin of arrival and the bins after it, for each person who arrives.
  let weights: [Double]
  /// The width of a bin in seconds.
  let bin: Double

  private static let draws = 4_096

  /// Computes the kernel of a rule for the length of visits.
  ///
  /// Arrivals are uniform within their bin. Lengths are drawn with fixed random numbers, so that the same rule has the
  /// same kernel.
  init(visit: DurationRule, bin: Double) {
    self.bin = bin
    var random = RandomStream(seed: 1, replica: 0, stream: 0x6b65_726e, entity: 0)
    var weights: [Double] = []
    for draw in 0..<Self.draws {
      let start = (Double(draw) + 0.5) / Double(Self.draws)
      let end = start + Double(visit.draw(&random)) / 1_000 / bin
      let last = min(Int(end), 1_000)
      while weights.count <= last { weights.append(0) }
      for index in 0...last {
        weights[index] += max(min(end, Double(index + 1)) - max(start, Double(index)), 0)
      }
    }
    self.weights = weights.map { $0 / Double(Self.draws) }
  }

  /// Returns the mean number of people by bin. Arrivals of the last bins stay past the end.
  /// - Parameter arrivals: the number of arrivals by bin.
  func presence(of arrivals: [Double]) -> [Double] {
    var people = [Double](repeating: 0, count: arrivals.count)
    for (start, number) in arrivals.enumerated() where number > 0 {
      for (offset, weight) in weights.enumerated() where start + offset < people.count {
        people[start + offset] += number * weight
      }
    }
    return people
  }

  /// Returns arrivals whose presence is near the given one, none of them negative.
  ///
  /// Multiplicative updates (Richardson and Lucy): each arrival is multiplied by the mean ratio of the given to the
  /// predicted presence during its visit. Few updates give smooth arrivals.
  /// - Parameters:
  ///   - people: the mean number of people by bin.
  ///   - updates: the number of updates.
  func arrivals(for people: [Double], updates: Int = 60) -> [Double] {
    let total = max(weights.reduce(0, +), 1e-9)
    var arrivals = people.map { max($0, 0) / total }
    for _ in 0..<updates {
      arrivals = updated(arrivals, target: people, predicted: presence(of: arrivals), limit: 1e3)
    }
    return arrivals
  }

  /// Returns arrivals after one multiplicative update.
  /// - Parameters:
  ///   - arrivals: the number of arrivals by bin.
  ///   - target: the presence to reach, by bin.
  ///   - predicted: the presence that the arrivals cause, by bin.
  ///   - limit: the maximum factor, and the inverse of the minimum.
  func updated(_ arrivals: [Double], target: [Double], predicted: [Double], limit: Double) -> [Double] {
    arrivals.indices.map { start in
      var (sum, norm) = (0.0, 0.0)
      for (offset, weight) in weights.enumerated() where start + offset < target.count {
        let (wanted, made) = (target[start + offset], predicted[start + offset])
        sum += weight * (made > 1e-6 ? min(wanted / made, limit) : wanted > 1e-6 ? limit : 1)
        norm += weight
      }
      guard norm > 0 else { return arrivals[start] }
      return arrivals[start] * min(max(sum / norm, 1 / limit), limit)
    }
  }

  /// Returns the variance of presence for arrivals whose rates vary by a factor with the variance 1, beyond that of a
  /// Poisson process: the sum of squares of the contributions of bins.
  func spread(of arrivals: [Double]) -> [Double] {
    var squares = [Double](repeating: 0, count: arrivals.count)
    for (start, number) in arrivals.enumerated() where number > 0 {
      for (offset, weight) in weights.enumerated() where start + offset < squares.count {
        squares[start + offset] += number * weight * number * weight
      }
    }
    return squares
  }
}

extension DurationRule {
  /// Returns the rule with all its durations multiplied by a factor.
  func scaled(by factor: Double) -> DurationRule {
    var rule = self
    switch shape {
    case .uniform: break
    case .logNormal(let median, let spread): rule.shape = .logNormal(median: median * factor, spread: spread)
    case .exponential(let mean): rule.shape = .exponential(mean: mean * factor)
    case .gamma(let mean, let shape): rule.shape = .gamma(mean: mean * factor, shape: shape)
    case .pareto: break
    }
    rule.minimum = .milliseconds(Int64((Double(minimum.milliseconds) * factor).rounded()))
    // The default maximum of a day stays.
    if maximum < .hours(24) { rule.maximum = .milliseconds(Int64((Double(maximum.milliseconds) * factor).rounded())) }
    rule.maximum = min(max(rule.maximum, rule.minimum), .hours(24))
    return rule
  }

  /// The mean duration in seconds, by fixed random draws.
  var mean: Double {
    var random = RandomStream(seed: 1, replica: 0, stream: 0x6d65_616e, entity: 0)
    let draws = 4_096
    return (0..<draws).reduce(0.0) { sum, _ in sum + Double(draw(&random)) / 1_000 } / Double(draws)
  }
}
