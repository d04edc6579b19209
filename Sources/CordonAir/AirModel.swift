/// A building as well-mixed spaces, which exchange air with the outdoors and through links with each other.
///
/// Two balances are solved for each space: carbon dioxide, which outdoor air removes, and infectious quanta, which outdoor
/// air, filters, deposition and decay remove. See docs/explanation/air.md for equations, sources and limits.
package struct AirModel: Hashable, Sendable {
  /// The spaces.
  package var spaces: [AirSpace]
  /// The openings between spaces.
  package var links: [AirLink]
  /// The outdoor concentration of carbon dioxide in parts per million.
  package var outdoorCO2: Double
  /// The share of the quanta that deposition and decay remove per hour.
  package var quantaLoss: Double
  /// The rule of the update. Links need ``UpdateRule/exact``.
  package var rule: UpdateRule
  /// The time over which sources of linked spaces are averaged, in milliseconds; 0 for an update at every change of
  /// occupancy. The averages conserve what is emitted.
  package var step: Int64

  /// Creates a model.
  package init(
    spaces: [AirSpace], links: [AirLink] = [], outdoorCO2: Double = AirDefaults.outdoorCO2,
    quantaLoss: Double = AirDefaults.decay + AirDefaults.deposition, rule: UpdateRule = .exact, step: Int64 = 0
  ) {
    self.spaces = spaces
    self.links = links
    self.outdoorCO2 = outdoorCO2
    self.quantaLoss = quantaLoss
    self.rule = rule
    self.step = step
  }

  /// Computes concentrations and doses.
  ///
  /// The air of every space is that of the outdoors at the start. Complexity: O(stays log stays + bins) for spaces without
  /// links; linked spaces are solved together, at every step and every bin.
  /// - Parameters:
  ///   - stays: who is where; stays are cut at the ends of the time.
  ///   - loads: the loads that stays refer to.
  ///   - start: the start in milliseconds since 1970.
  ///   - end: the end, after the start.
  ///   - bin: the width of a bin of the results in milliseconds, above 0. Bins begin at multiples of it.
  package func run(stays: [AirStay], loads: [AirLoad], start: Int64, end: Int64, bin: Int64) -> AirResult {
    var result = AirResult(spaces: spaces.count, stays: stays.count, bins: BinGrid(start: start, end: end, bin: bin))
    guard start < end else { return result }
    var members = [[Int]](repeating: [], count: spaces.count)
    for (index, stay) in stays.enumerated() { members[stay.space].append(index) }
    for component in AirComponents(spaces: spaces.count, links: links).list {
      if component.count == 1 {
        let space = component[0]
        SpaceSolver(model: self, space: space, loads: loads).solve(
          OccupancyChanges(stays, among: members[space], in: start..<end), stays: stays, into: &result)
      } else {
        let solver = ComponentSolver(model: self, spaces: component, loads: loads)
        let changes = OccupancyChanges(stays, among: component.flatMap { members[$0] }, in: start..<end)
        solver.solve(changes, stays: stays, into: &result)
      }
    }
    return result
  }

  /// Returns the removal of carbon dioxide from a space per hour, without links.
  func co2Rate(_ space: Int) -> Double { spaces[space].airChanges }

  /// Returns the removal of quanta from a space per hour, without links.
  func quantaRate(_ space: Int) -> Double { spaces[space].airChanges + spaces[space].filtration + quantaLoss }

  /// Returns the increase of carbon dioxide in a space, in parts per million per hour.
  func co2Source(_ sum: SourceSum, in space: Int) -> Double { sum.co2 / spaces[space].volume * 1e6 }

  /// Returns the increase of quanta in a space, per cubic metre and hour.
  func quantaSource(_ sum: SourceSum, in space: Int) -> Double { sum.quanta / spaces[space].volume }
}

/// The groups of spaces that links join, each in ascending order, by their first space.
struct AirComponents {
  let list: [[Int]]

  init(spaces: Int, links: [AirLink]) {
    var root = Array(0..<spaces)
    func find(_ space: Int) -> Int {
      var space = space
      while root[space] != space {
        root[space] = root[root[space]]
        space = root[space]
      }
      return space
    }
    for link in links where link.flow > 0 {
      let (a, b) = (find(link.first), find(link.second))
      root[max(a, b)] = min(a, b)
    }
    var groups = [[Int]](repeating: [], count: spaces)
    for space in 0..<spaces { groups[find(space)].append(space) }
    list = groups.filter { !$0.isEmpty }
  }
}
