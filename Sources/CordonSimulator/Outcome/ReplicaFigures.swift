import CordonRun

/// The figures of places and groups over replicas, with 95 % confidence intervals of their means.
enum ReplicaFigures {
  private typealias Figure = RunOutcome.ReplicaFigure

  /// Returns the figures of all replicas, by floor, space and group.
  /// - Parameters:
  ///   - places: the true figures of floors and spaces, by replica.
  ///   - groups: the true figures of groups, by replica.
  static func rows(
    places: [[RunOutcome.Place]], groups: [[RunOutcome.Group]]
  ) -> [RunOutcome.ReplicaFigure] {
    let count = places.count
    guard count > 1 else { return [] }
    var samples: [Subject: [Int: [Figure.Name: Double]]] = [:]
    for (replica, rows) in places.enumerated() {
      for row in rows where row.source == .truth {
        let isFloor = row.space == ObservedLocation.noSpace
        let subject = Subject(kind: isFloor ? 0 : 1, number: isFloor ? Int(row.floor) : Int(row.space))
        samples[subject, default: [:]][replica] = values(of: row)
      }
    }
    for (replica, rows) in groups.enumerated() {
      for row in rows where row.presence.source == .truth {
        var values = values(of: row.presence)
        values[.meanWait] = row.meanWait
        samples[Subject(kind: 2, number: row.number), default: [:]][replica] = values
      }
    }
    return samples.keys.sorted().flatMap { subject -> [Figure] in
      let known = samples[subject] ?? [:]
      let hasLimit = known.values.contains { $0[.minutesOverCapacity] != nil }
      return Figure.Name.allCases.compactMap { name in
        let list = (0..<count).compactMap { replica -> Double? in
          if let values = known[replica] { return values[name] }
          // Nobody was in the place in this replica.
          switch name {
          case .mean, .p95, .peak, .visits: return 0
          case .minutesOverCapacity, .minutesOverCapacityStaying, .minutesOverCapacityPassing:
            return hasLimit ? 0 : nil
          case .meanVisit, .meanWait: return nil
          }
        }
        return list.isEmpty ? nil : figure(subject.value, name, Sample(list))
      }
    }
  }

  private static func values(of row: RunOutcome.Place) -> [RunOutcome.ReplicaFigure.Name: Double] {
    var values: [Figure.Name: Double] = [.mean: row.mean, .p95: row.p95, .peak: Double(row.peak)]
    values[.minutesOverCapacity] = row.minutesOverCapacity
    values[.minutesOverCapacityStaying] = row.minutesOverCapacityStaying
    values[.minutesOverCapacityPassing] = row.minutesOverCapacityPassing
    values[.visits] = row.visits.map(Double.init)
    values[.meanVisit] = row.meanVisit
    return values
  }

  private static func figure(
    _ subject: RunOutcome.ReplicaFigure.Subject, _ name: RunOutcome.ReplicaFigure.Name, _ sample: Sample
  ) -> RunOutcome.ReplicaFigure {
    let margin =
      sample.count > 1
      ? PairedDifference.student(degrees: sample.count - 1) * sample.deviation / Double(sample.count).squareRoot()
      : .infinity
    let mean = sample.mean
    func rounded(_ value: Double) -> Double { value.isFinite ? PlaceFigures.rounded(value) : value }
    return Figure(
      subject: subject, name: name, replicas: sample.count, mean: rounded(mean), low: rounded(mean - margin),
      high: rounded(mean + margin), p05: rounded(sample.quantile(0.05)), p95: rounded(sample.quantile(0.95)))
  }

  private struct Subject: Hashable, Comparable {
    var kind: Int
    var number: Int

    static func < (a: Subject, b: Subject) -> Bool { (a.kind, a.number) < (b.kind, b.number) }

    var value: RunOutcome.ReplicaFigure.Subject {
      switch kind {
      case 0: .floor(Int32(number))
      case 1: .space(Int32(number))
      default: .group(number)
      }
    }
  }
}
