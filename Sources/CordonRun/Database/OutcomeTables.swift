import CordonContacts

/// The rows of the tables of ``RunOutcome``.
struct OutcomeTables {
  var outcome: RunOutcome

  func writeFlows<Sink: TableSink>(_ sink: Sink) throws {
    let flows = try sink.rows(of: "flows", columns: "row, opening, ordinal, bin_start_ms, forward, backward")
    for (index, row) in outcome.flows.enumerated() {
      flows.bind(1, Int64(index))
      flows.bind(2, row.opening)
      flows.bind(3, FloorNumber.ordinal(row.floor))
      flows.bind(4, row.binStart)
      flows.bind(5, Int64(row.forward))
      flows.bind(6, Int64(row.backward))
      try flows.insert()
    }
  }

  func writeDistributions<Sink: TableSink>(_ sink: Sink) throws {
    let bins = try sink.rows(of: "distributions", columns: "row, what, source, lower, upper, count")
    for (index, row) in outcome.distributions.enumerated() {
      bins.bind(1, Int64(index))
      bins.bind(2, row.what)
      bins.bind(3, row.source.rawValue)
      bins.bind(4, row.lower)
      bins.bind(5, row.upper.isFinite ? row.upper : nil)
      bins.bind(6, Int64(row.count))
      try bins.insert()
    }
  }

  func writeThresholds<Sink: TableSink>(_ sink: Sink) throws {
    let thresholds = try sink.rows(
      of: "thresholds",
      columns: """
        row, distance_m, duration_s, true_pairs, observed_pairs, common_pairs, precision, recall, mean_error_s, \
        mean_absolute_error_s
        """)
    for (index, row) in outcome.thresholds.enumerated() {
      thresholds.bind(1, Int64(index))
      thresholds.bind(2, row.distance)
      thresholds.bind(3, row.duration)
      thresholds.bind(4, Int64(row.truePairs))
      thresholds.bind(5, Int64(row.observedPairs))
      thresholds.bind(6, Int64(row.commonPairs))
      thresholds.bind(7, row.precision)
      thresholds.bind(8, row.recall)
      thresholds.bind(9, row.meanError)
      thresholds.bind(10, row.meanAbsoluteError)
      try thresholds.insert()
    }
  }

  func writeQueues<Sink: TableSink>(_ sink: Sink) throws {
    let queues = try sink.rows(
      of: "queues",
      columns: "row, kind, place, served, mean_length, longest, mean_wait_s, p95_wait_s, name, space")
    for (index, row) in outcome.queues.enumerated() {
      queues.bind(1, Int64(index))
      queues.bind(2, row.kind)
      queues.bind(3, row.place)
      queues.bind(4, Int64(row.served))
      queues.bind(5, row.meanLength)
      queues.bind(6, Int64(row.longest))
      queues.bind(7, row.meanWait)
      queues.bind(8, row.p95Wait)
      queues.bind(9, row.name)
      queues.bind(10, SpaceNumber.stored(row.space))
      try queues.insert()
    }
  }

  func writePlaces<Sink: TableSink>(_ sink: Sink) throws {
    let places = try sink.rows(
      of: "places",
      columns: """
        row, source, ordinal, space, mean, p95, peak, peak_ms, capacity, minutes_over_capacity, m2_per_person, \
        level_of_service, stays, median_dwell_s, p95_dwell_s, visits, mean_visit_s, minutes_a, minutes_b, minutes_c, \
        minutes_d, minutes_e, minutes_f, minutes_over_capacity_staying, minutes_over_capacity_passing
        """)
    for (index, row) in outcome.places.enumerated() {
      places.bind(1, Int64(index))
      places.bind(2, row.source.rawValue)
      places.bind(3, FloorNumber.ordinal(row.floor))
      places.bind(4, SpaceNumber.stored(row.space))
      places.bind(5, row.mean)
      places.bind(6, row.p95)
      places.bind(7, Int64(row.peak))
      places.bind(8, row.peakTime)
      places.bind(9, row.capacity.map(Int64.init))
      places.bind(10, row.minutesOverCapacity)
      places.bind(11, row.areaPerPerson)
      places.bind(12, row.levelOfService)
      places.bind(13, row.stays.map(Int64.init))
      places.bind(14, row.medianDwell)
      places.bind(15, row.p95Dwell)
      places.bind(16, row.visits.map(Int64.init))
      places.bind(17, row.meanVisit)
      for level in LevelOfService.allCases {
        places.bind(Int32(18 + level.index), row.levelMinutes?[level])
      }
      places.bind(24, row.minutesOverCapacityStaying)
      places.bind(25, row.minutesOverCapacityPassing)
      try places.insert()
    }
  }

  func writeEnsemble<Sink: TableSink>(_ sink: Sink) throws {
    let bins = try sink.rows(of: "ensemble", columns: "row, ordinal, space, bin_start_ms, mean, p05, p50, p95, peak")
    for (index, row) in outcome.ensemble.enumerated() {
      bins.bind(1, Int64(index))
      bins.bind(2, FloorNumber.ordinal(row.floor))
      bins.bind(3, SpaceNumber.stored(row.space))
      bins.bind(4, row.binStart)
      bins.bind(5, row.mean)
      bins.bind(6, row.p05)
      bins.bind(7, row.p50)
      bins.bind(8, row.p95)
      bins.bind(9, Int64(row.peak))
      try bins.insert()
    }
  }
}
