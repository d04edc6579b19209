package import CordonCore

/// Random walking speeds on level ground without other people.
package enum FreeSpeeds {
  /// Age groups with the speed bands of Weidmann (1993).
  package enum Group: String, Hashable, Sendable, CaseIterable {
    /// Younger than 30 years.
    case young
    /// 30 to 50 years.
    case middle
    /// Older than 50 years.
    case old
    /// People with reduced mobility.
    case limited

    /// The range of walking speeds of the group, in metres per second.
    package var band: ClosedRange<Double> {
      switch self {
      case .young: 0.58...1.61
      case .middle: 1.41...1.54
      case .old: 0.68...1.41
      case .limited: 0.46...0.76
      }
    }
  }

  /// Returns a random free speed, in metres per second.
  ///
  /// The distribution is N(1.34, 0.26), truncated to 0.5 ... 2.2 (Weidmann 1993; the bounds are those of reference
  /// implementations).
  package static func random(_ random: inout RandomStream) -> Double {
    for _ in 0..<16 {
      let speed = 1.34 + 0.26 * random.nextNormal()
      if speed >= 0.5 && speed <= 2.2 { return speed }
    }
    return 1.34
  }

  /// Returns a random free speed of a group, in metres per second.
  ///
  /// The distribution is normal around the middle of the group's band and truncated to it. The standard deviation is a
  /// fifth of the band's width.
  package static func random(of group: Group, _ random: inout RandomStream) -> Double {
    let middle = (group.band.lowerBound + group.band.upperBound) / 2
    let spread = (group.band.upperBound - group.band.lowerBound) / 5
    for _ in 0..<16 {
      let speed = middle + spread * random.nextNormal()
      if group.band.contains(speed) { return speed }
    }
    return middle
  }

  /// Returns the speed in a crowd in metres per second, by Weidmann's fit (1993): 0 from 5.4 people per square metre
  /// on.
  /// - Parameter density: people per square metre.
  package static func weidmann(density: Double) -> Double {
    guard density > 0 else { return 1.34 }
    guard density < 5.4 else { return 0 }
    return 1.34 * (1 - PortableMath.exp(-1.913 * (1 / density - 1 / 5.4)))
  }
}

/// The choice of the exit with the least expected time.
package enum ExitChoice {
  /// An exit as a person sees it.
  package struct Exit: Hashable, Sendable {
    /// Distance to the exit, in metres.
    package var distance: Double
    /// Width of the exit, in metres.
    package var width: Double
    /// Number of people who head for the exit and are nearer to it.
    package var before: Int

    /// Creates an exit from its values.
    package init(distance: Double, width: Double, before: Int) {
      self.distance = distance
      self.width = width
      self.before = before
    }
  }

  /// Returns the index of the exit with the least expected time, or of the first such exit.
  ///
  /// Walking and queueing overlap, so the longer of the two times counts. A queue moves at 1.9 people per second and
  /// metre of width.
  /// - Parameters:
  ///   - exits: the exits; the result is 0 if there are none.
  ///   - freeSpeed: the person's free speed, in metres per second.
  package static func pick(_ exits: [Exit], freeSpeed: Double) -> Int {
    var best = (index: 0, time: Double.infinity)
    for (index, exit) in exits.enumerated() {
      let time = max(exit.distance / max(freeSpeed, 0.1), Double(exit.before) / (1.9 * max(exit.width, 0.1)))
      if time < best.time { best = (index, time) }
    }
    return best.index
  }
}
