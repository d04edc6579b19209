/// The solver of a space without links: closed forms from one change of occupancy to the next.
struct SpaceSolver {
  let model: AirModel
  let space: Int
  let loads: [AirLoad]

  func solve(_ changes: OccupancyChanges, stays: [AirStay], into result: inout AirResult) {
    let grid = result.grid
    var (co2, quanta, sum) = (GasState(), GasState(), SourceSum())
    var updated = grid.start
    var recorder = BinRecorder(space: space, outdoorCO2: model.outdoorCO2, start: grid.start)
    func state(at time: Int64) -> (co2: GasState, quanta: GasState) {
      let hours = Double(time - updated) / 3_600_000
      guard hours > 0 else { return (co2, quanta) }
      return (
        co2.advanced(
          hours: hours, source: model.co2Source(sum, in: space), rate: model.co2Rate(space), rule: model.rule),
        quanta.advanced(
          hours: hours, source: model.quantaSource(sum, in: space), rate: model.quantaRate(space), rule: model.rule)
      )
    }
    func recordBins(until time: Int64, into result: inout AirResult) {
      while recorder.index < grid.count, grid.end(of: recorder.index) <= time {
        let end = grid.end(of: recorder.index)
        let now = state(at: end)
        recorder.record(co2: now.co2, quanta: now.quanta, sum: sum, end: end, into: &result)
        // The level of the other rule depends on the number of updates.
        if model.rule == .exact { ((co2, quanta), updated) = (now, end) }
      }
    }
    for change in changes.changes {
      recordBins(until: change.time, into: &result)
      if change.time > updated { ((co2, quanta), updated) = (state(at: change.time), change.time) }
      recorder.notePeak(co2.level, in: &result)
      recorder.countPeople(sum, until: change.time)
      let stay = stays[change.stay]
      result.doses[change.stay].note(
        isEnd: change.isEnd, time: change.time, co2: co2.integral, quanta: quanta.integral,
        inhaled: loads[stay.load].inhaled, outdoorCO2: model.outdoorCO2)
      sum.apply(stay, loads[stay.load], isEnd: change.isEnd)
    }
    recordBins(until: grid.end, into: &result)
  }
}

extension AirResult.Dose {
  /// Notes the begin of a stay, and completes the dose at its end: the difference of the integrals.
  mutating func note(isEnd: Bool, time: Int64, co2: Double, quanta: Double, inhaled: Double, outdoorCO2: Double) {
    let hours = Double(time) / 3_600_000
    if isEnd {
      self.hours = hours - self.hours
      co2Hours = max(0, co2 - co2Hours) + outdoorCO2 * self.hours
      self.quanta = max(0, quanta - self.quanta) * inhaled
    } else {
      self.hours = hours
      co2Hours = co2
      self.quanta = quanta
    }
  }
}

/// The writer of the bins of one space.
struct BinRecorder {
  let space: Int
  let outdoorCO2: Double
  /// The number of the next bin.
  private(set) var index = 0
  private var (co2, quanta) = (0.0, 0.0)
  private var (people, infectious) = (0.0, 0.0)
  private var counted: Int64

  init(space: Int, outdoorCO2: Double, start: Int64) {
    self.space = space
    self.outdoorCO2 = outdoorCO2
    counted = start
  }

  /// Adds the people who were present since the last call.
  mutating func countPeople(_ sum: SourceSum, until time: Int64) {
    let hours = Double(time - counted) / 3_600_000
    people += sum.people * hours
    infectious += sum.infectious * hours
    counted = time
  }

  /// Records the next bin, which ends now.
  mutating func record(
    co2 now: GasState, quanta: GasState, sum: SourceSum, end: Int64, into result: inout AirResult
  ) {
    countPeople(sum, until: end)
    let hours = result.grid.hours(of: index)
    let bin = AirResult.Bin(
      people: people / hours, infectious: infectious / hours, co2: outdoorCO2 + max(0, now.integral - co2) / hours,
      co2AtEnd: outdoorCO2 + now.level, quanta: max(0, quanta.integral - self.quanta) / hours,
      quantaAtEnd: quanta.level)
    result.set(bin, space: space, index: index)
    notePeak(now.level, in: &result)
    (co2, self.quanta, people, infectious) = (now.integral, quanta.integral, 0, 0)
    index += 1
  }

  /// Updates the maximum of the space.
  func notePeak(_ level: Double, in result: inout AirResult) {
    result.peakCO2[space] = max(result.peakCO2[space], outdoorCO2 + level)
  }
}
