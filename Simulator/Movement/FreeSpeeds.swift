public import CordonCore

/// How fast people walk on level ground with nobody in the way.
public enum FreeSpeeds {
  /// People by age, with the bands that Weidmann (1993) gives.
  public enum Group: String, Hashable, Sendable, CaseIterable {
    /// Younger than 30 years.
    case young
    /// 30 to 50 years.
    case middle
    /// Older than 50 years.
    case old
    /// People who walk with difficulty.
    case limited

    /// Metres a second between which everybody of the group walks.
    public var band: ClosedRange<Double> {
      switch self {
      case .young: 0.58...1.61
      case .middle: 1.41...1.54
      case .old: 0.68...1.41
      case .limited: 0.46...0.76
      }
    }
  }

  /// Metres a second: N(1.34, 0.26) within 0.5 ... 2.2 (Weidmann 1993; reference implementations clip so).
  public static func anybody(_ random: inout RandomStream) -> Double {
    for _ in 0..<16 {
      let speed = 1.34 + 0.26 * random.nextNormal()
      if speed >= 0.5 && speed <= 2.2 { return speed }
    }
    return 1.34
  }

  /// Metres a second of somebody of a group: normal about the middle of its band, nobody outside it.
  public static func somebody(of group: Group, _ random: inout RandomStream) -> Double {
    let middle = (group.band.lowerBound + group.band.upperBound) / 2
    let spread = (group.band.upperBound - group.band.lowerBound) / 5
    for _ in 0..<16 {
      let speed = middle + spread * random.nextNormal()
      if group.band.contains(speed) { return speed }
    }
    return middle
  }

  /// Metres a second in a crowd of so many people per square metre, by Weidmann's fit.
  public static func weidmann(density: Double) -> Double {
    guard density > 0 else { return 1.34 }
    guard density < 5.4 else { return 0 }
    return 1.34 * (1 - PortableMath.exp(-1.913 * (1 / density - 1 / 5.4)))
  }
}

/// Which of several exits somebody takes: the one where they expect to be out first.
public enum ExitChoice {
  /// An exit as somebody sees it.
  public struct Exit: Hashable, Sendable {
    /// Metres to it.
    public var distance: Double
    /// Its width, metres.
    public var width: Double
    /// People who are nearer to it and go there.
    public var before: Int

    /// Takes the values as they are.
    public init(distance: Double, width: Double, before: Int) {
      self.distance = distance
      self.width = width
      self.before = before
    }
  }

  /// The index of the exit with the least expected time, the first of equals; walking and the line in front of it
  /// go on at the same time, so the longer of the two counts.
  public static func pick(_ exits: [Exit], freeSpeed: Double) -> Int {
    var best = (index: 0, time: Double.infinity)
    for (index, exit) in exits.enumerated() {
      let time = max(exit.distance / max(freeSpeed, 0.1), Double(exit.before) / (1.9 * max(exit.width, 0.1)))
      if time < best.time { best = (index, time) }
    }
    return best.index
  }
}
