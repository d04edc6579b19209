import CordonSQLite

extension RunReader {
  /// Returns the figures of floors and spaces, from truth and from observation.
  package func places() throws -> [RunOutcome.Place] {
    let sql = """
      SELECT source, ordinal, space, mean, p95, peak, peak_ms, capacity, minutes_over_capacity, m2_per_person, stays,
        median_dwell_s, p95_dwell_s, visits, mean_visit_s, minutes_over_capacity_staying
      FROM places ORDER BY row
      """
    return try rows(sql, table: "places") { row in
      guard let source = RunSource(rawValue: try row[0]) else { throw damaged("places") }
      return RunOutcome.Place(
        source: source, floor: FloorNumber.thousandths(try row[1]), space: try row[2] ?? ObservedLocation.noSpace,
        mean: try row[3], p95: try row[4], peak: try row[5], peakTime: try row[6], capacity: try row[7],
        minutesOverCapacity: try row[8], minutesOverCapacityStaying: try row[15], areaPerPerson: try row[9],
        stays: try row[10], medianDwell: try row[11], p95Dwell: try row[12], visits: try row[13], meanVisit: try row[14]
      )
    }
  }

  /// Returns the figures of groups of spaces, from truth and from observation.
  package func groups() throws -> [RunOutcome.Group] {
    let sql = """
      SELECT source, group_number, mean, p95, peak, peak_ms, capacity, minutes_over_capacity, visits, mean_visit_s,
        waits, mean_wait_s, p95_wait_s, minutes_over_capacity_staying
      FROM group_figures ORDER BY row
      """
    return try rows(sql, table: "group_figures") { row in
      guard let source = RunSource(rawValue: try row[0]) else { throw damaged("group_figures") }
      let presence = RunOutcome.Place(
        source: source, floor: 0, space: ObservedLocation.noSpace, mean: try row[2], p95: try row[3],
        peak: try row[4], peakTime: try row[5], capacity: try row[6], minutesOverCapacity: try row[7],
        minutesOverCapacityStaying: try row[13], visits: try row[8], meanVisit: try row[9])
      return RunOutcome.Group(
        number: try row[1], presence: presence, waits: try row[10], meanWait: try row[11], p95Wait: try row[12])
    }
  }

  /// Returns the queues of the run.
  package func queues() throws -> [RunOutcome.Queue] {
    let sql = """
      SELECT kind, place, served, mean_length, longest, mean_wait_s, p95_wait_s, name, space FROM queues ORDER BY row
      """
    return try rows(sql, table: "queues") { row in
      var queue = RunOutcome.Queue(
        kind: try row[0], place: try row[1], served: try row[2], meanLength: try row[3], longest: try row[4],
        meanWait: try row[5], p95Wait: try row[6])
      queue.name = try row[7]
      queue.space = try row[8] ?? ObservedLocation.noSpace
      return queue
    }
  }

  /// Returns the figures of spaces and groups over the replicas of the run; empty for a single run.
  package func replicaFigures() throws -> [RunOutcome.ReplicaFigure] {
    let sql = """
      SELECT ordinal, space, group_number, figure, replicas, mean, low, high, p05, p95
      FROM replica_figures ORDER BY row
      """
    return try rows(sql, table: "replica_figures") { row in
      let subject: RunOutcome.ReplicaFigure.Subject
      if let group: Int = try row[2] {
        subject = .group(group)
      } else if let space: Int32 = try row[1] {
        subject = .space(space)
      } else {
        subject = .floor(FloorNumber.thousandths(try row[0]))
      }
      guard let name = RunOutcome.ReplicaFigure.Name(rawValue: try row[3]) else { throw damaged("replica_figures") }
      return RunOutcome.ReplicaFigure(
        subject: subject, name: name, replicas: try row[4], mean: try row[5], low: try row[6] ?? -.infinity,
        high: try row[7] ?? .infinity, p05: try row[8], p95: try row[9])
    }
  }

  /// The totals of the contacts of pairs.
  package struct PairTotals: Hashable, Sendable {
    /// The number of pairs with a contact.
    package var pairs: Int
    /// The number of pairs whose total reaches the contact duration that triggers a warning.
    package var longPairs: Int
    /// The sum of the durations of contacts in seconds.
    package var seconds: Double
  }

  /// Returns the totals of the true contacts.
  /// - Parameter threshold: the total contact time of a pair, in seconds, from which it counts as long.
  package func truePairTotals(threshold: Double) throws -> PairTotals {
    var totals = PairTotals(pairs: 0, longPairs: 0, seconds: 0)
    let sql = "SELECT contact_s FROM pairs WHERE source = ? ORDER BY first, second"
    try forEachRow(sql, RunSource.truth.rawValue) { row in
      let seconds: Double = try row[0]
      totals.pairs += 1
      totals.seconds += seconds
      if seconds >= threshold { totals.longPairs += 1 }
      return true
    }
    return totals
  }
}
