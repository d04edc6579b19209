import CordonCore
import CordonCrowd

/// The health and masks of the people of one replica.
struct AirPeople: Sendable {
  /// Whether each person is infectious.
  let isInfectious: [Bool]
  /// Whether each person can be infected.
  let isSusceptible: [Bool]
  /// Whether each person has a mask.
  let wearsMask: [Bool]

  /// The purpose of the random numbers.
  private static let stream: UInt32 = 0x6169_7220

  /// Draws the people. A person keeps their numbers in both scenarios of a comparison.
  /// - Parameters:
  ///   - rules: the rules.
  ///   - plan: the plan of the people.
  ///   - cameIn: whether each person came.
  init(_ rules: AirRules, plan: CrowdPlan, cameIn: [Bool], seed: UInt64, replica: UInt32) {
    let draws = plan.people.indices.map { person in
      var random = RandomStream(seed: seed, replica: replica, stream: Self.stream, entity: UInt64(person))
      return (index: random.nextUnit(), immunity: random.nextUnit(), mask: random.nextUnit())
    }
    func isIn(_ populations: [Policies.Target], _ person: Int) -> Bool {
      let name = plan.populations[plan.people[person].population]
      return populations.isEmpty || populations.contains { $0.name == name }
    }
    // The people with the smallest numbers, so that one index case more keeps the others.
    let candidates = plan.people.indices.filter { cameIn[$0] && isIn(rules.indexPopulations, $0) }
    let chosen = candidates.sorted { (draws[$0].index, $0) < (draws[$1].index, $1) }.prefix(rules.indexCases)
    var isInfectious = [Bool](repeating: false, count: plan.people.count)
    for person in chosen { isInfectious[person] = true }
    self.isInfectious = isInfectious
    isSusceptible = plan.people.indices.map { !isInfectious[$0] && draws[$0].immunity >= rules.immune }
    wearsMask = plan.people.indices.map { person in
      rules.masks.map { draws[person].mask < $0.share && isIn($0.populations, person) } ?? false
    }
  }
}
