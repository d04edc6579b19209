import CordonCore

extension EvacuationReplica {
  /// Returns the time at which a share of the people who got out were out; `nil` if nobody got out.
  package func time(_ share: Double) -> Double? {
    let times = people.compactMap(\.out).sorted()
    guard !times.isEmpty else { return nil }
    return times[min(max(Int((share * Double(times.count)).rounded(.up)) - 1, 0), times.count - 1)]
  }
}

extension EvacuationReplica.Passage {
  /// The maximum number of people who passed within a minute.
  package var maximumPerMinute: Int {
    var (first, most) = (0, 0)
    for (index, time) in times.enumerated() {
      while time - times[first] >= 60 { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }

  /// Returns the number of people who passed until the start of each interval of ``EvacuationReport/bin``.
  package func cumulative(bins: Int) -> [Int] {
    var next = 0
    return (0..<bins).map { bin in
      while next < times.count, times[next] <= Double(bin) * EvacuationReport.bin { next += 1 }
      return next
    }
  }
}

extension EvacuationReport {
  /// The mean number of people who left by an exit, over all replicas.
  package func mean(of exit: Exit) -> Double {
    passages.first { $0.place.kind == .exit && $0.place.id == exit.id }?.passed ?? 0
  }

  /// The number of people inside in each replica, by interval of ``bin``; replicas that ended earlier keep their last
  /// number.
  package var insideByTime: [[Int]] {
    let bins = replicas.map(\.inside.count).max() ?? 0
    return (0..<bins).map { bin in replicas.map { $0.inside.isEmpty ? 0 : $0.inside[min(bin, $0.inside.count - 1)] } }
  }

  /// The level of service of a space with its maximum number of people.
  package func level(of space: EvacuationReplica.Space) -> LevelOfService {
    LevelOfService(areaPerPerson: venue.spaces[space.number].area / Double(max(space.peak, 1)))
  }

  /// Returns the title of a space; empty outside all spaces.
  package func spaceTitle(_ number: Int32) -> String {
    venue.spaces.indices.contains(Int(number)) ? venue.spaces[Int(number)].title : ""
  }
}
