/// The solver of spaces that exchange air: all of them together, over intervals with constant mean sources.
///
/// Without a step the intervals end at every change of occupancy and at every bin. With one they also end at its
/// multiples, and no longer at changes: sources are averaged over the interval, and integrals interpolated in it.
struct ComponentSolver {
  let model: AirModel
  /// The spaces of the component.
  let spaces: [Int]
  let loads: [AirLoad]

  func solve(_ changes: OccupancyChanges, stays: [AirStay], into result: inout AirResult) {
    let grid = result.grid
    var air = Air(model: model, spaces: spaces, start: grid.start)
    var local = [Int](repeating: 0, count: model.spaces.count)
    for (index, space) in spaces.enumerated() { local[space] = index }
    var next = 0
    var time = grid.start
    // The begins and ends of stays in the current interval; their integrals are known when it is over.
    var pending: [(change: OccupancyChanges.Change, share: Double)] = []
    while time < grid.end {
      let end = intervalEnd(after: time, changes: changes.changes, from: next, grid: grid, bin: air.bin)
      pending.removeAll(keepingCapacity: true)
      while next < changes.changes.count, changes.changes[next].time < end {
        let change = changes.changes[next]
        pending.append((change, Double(change.time - time) / Double(end - time)))
        air.apply(stays[change.stay], loads[stays[change.stay].load], change, space: local[stays[change.stay].space])
        next += 1
      }
      let before = air.integrals
      air.advance(from: time, to: end)
      for (change, share) in pending {
        let index = local[stays[change.stay].space]
        note(change, stays, from: before, index, to: air.integrals, share: share, into: &result)
      }
      air.record(until: end, into: &result)
      time = end
    }
    // Those that end with the time.
    for change in changes.changes[next...] {
      let index = local[stays[change.stay].space]
      note(change, stays, from: air.integrals, index, to: air.integrals, share: 0, into: &result)
    }
  }

  private func intervalEnd(
    after time: Int64, changes: [OccupancyChanges.Change], from next: Int, grid: BinGrid, bin: Int
  ) -> Int64 {
    let end = grid.end(of: bin)
    if model.step > 0 {
      let part = (time - grid.start) / model.step
      return min(end, grid.start + (part + 1) * model.step)
    }
    var next = next
    while next < changes.count, changes[next].time <= time { next += 1 }
    return next < changes.count ? min(end, changes[next].time) : end
  }

  private func note(
    _ change: OccupancyChanges.Change, _ stays: [AirStay], from before: Air.Integrals, _ index: Int,
    to after: Air.Integrals, share: Double, into result: inout AirResult
  ) {
    func value(_ first: [Double], _ last: [Double]) -> Double { first[index] + (last[index] - first[index]) * share }
    result.doses[change.stay].note(
      isEnd: change.isEnd, time: change.time, co2: value(before.co2, after.co2),
      quanta: value(before.quanta, after.quanta), inhaled: loads[stays[change.stay].load].inhaled,
      outdoorCO2: model.outdoorCO2)
  }

  /// The state of all spaces of the component.
  private struct Air {
    struct Integrals {
      var co2: [Double]
      var quanta: [Double]
    }

    let model: AirModel
    let spaces: [Int]
    let co2Balance: CoupledBalance
    let quantaBalance: CoupledBalance
    var co2: [Double]
    var quanta: [Double]
    var integrals: Integrals
    var sums: [SourceSum]
    var recorders: [BinRecorder]
    /// The source times hours since the start of the interval, and the time up to which it is counted.
    private var emitted: [(co2: Double, quanta: Double, counted: Int64)]

    init(model: AirModel, spaces: [Int], start: Int64) {
      self.model = model
      self.spaces = spaces
      var local = [Int: Int]()
      for (index, space) in spaces.enumerated() { local[space] = index }
      let links = model.links.compactMap { link in
        local[link.first].flatMap { first in
          local[link.second].map { AirLink(first, $0, flow: link.flow) }
        }
      }
      let volumes = spaces.map { model.spaces[$0].volume }
      co2Balance = CoupledBalance(volumes: volumes, rates: spaces.map(model.co2Rate), links: links)
      quantaBalance = CoupledBalance(volumes: volumes, rates: spaces.map(model.quantaRate), links: links)
      co2 = [Double](repeating: 0, count: spaces.count)
      quanta = co2
      integrals = Integrals(co2: co2, quanta: co2)
      sums = [SourceSum](repeating: SourceSum(), count: spaces.count)
      recorders = spaces.map { BinRecorder(space: $0, outdoorCO2: model.outdoorCO2, start: start) }
      emitted = spaces.map { _ in (0, 0, start) }
    }

    /// The number of the next bin.
    var bin: Int { recorders[0].index }

    mutating func apply(_ stay: AirStay, _ load: AirLoad, _ change: OccupancyChanges.Change, space: Int) {
      emit(space, until: change.time)
      recorders[space].countPeople(sums[space], until: change.time)
      sums[space].apply(stay, load, isEnd: change.isEnd)
    }

    private mutating func emit(_ space: Int, until time: Int64) {
      let hours = Double(time - emitted[space].counted) / 3_600_000
      emitted[space].co2 += model.co2Source(sums[space], in: spaces[space]) * hours
      emitted[space].quanta += model.quantaSource(sums[space], in: spaces[space]) * hours
      emitted[space].counted = time
    }

    mutating func advance(from start: Int64, to end: Int64) {
      let hours = Double(end - start) / 3_600_000
      for space in spaces.indices { emit(space, until: end) }
      co2Balance.advance(&co2, &integrals.co2, source: emitted.map { $0.co2 / hours }, hours: hours)
      quantaBalance.advance(&quanta, &integrals.quanta, source: emitted.map { $0.quanta / hours }, hours: hours)
      for space in spaces.indices { emitted[space] = (0, 0, end) }
    }

    mutating func record(until end: Int64, into result: inout AirResult) {
      for space in spaces.indices {
        if end == result.grid.end(of: recorders[space].index) {
          recorders[space].record(
            co2: GasState(level: co2[space], integral: integrals.co2[space]),
            quanta: GasState(level: quanta[space], integral: integrals.quanta[space]), sum: sums[space], end: end,
            into: &result)
        } else {
          recorders[space].notePeak(co2[space], in: &result)
        }
      }
    }
  }
}
