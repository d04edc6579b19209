import CordonCore
package import CordonCrowd

/// The published tests of evacuation models, run by the whole building walk of `cordon evacuate`.
///
/// NIST Technical Note 1822 (Ronchi, Kuligowski, Reneke, Peacock, Nilsson 2013, doi 10.6028/NIST.TN.1822) lists
/// Verif.1.1 to 5.2; RiMEA is the guideline for microscopic evacuation analyses. Both leave geometry and criteria open
/// in part; each case states its own criterion.
package struct EvacuationValidation: Sendable {
  /// The movement model.
  package var model: CrowdMovement
  /// Factor of the number of people in the largest cases, 0.1 ... 1; smaller values save time.
  package var scale: Double
  /// The seed of all random numbers.
  package var seed: UInt64
  /// Polled once per simulated second; `true` ends the current test.
  package var isInterrupted: @Sendable () -> Bool = { false }

  /// Creates a validation.
  package init(model: CrowdMovement, scale: Double = 1, seed: UInt64 = 1) {
    var model = model
    model.checksEveryStep = true
    self.model = model
    self.scale = min(max(scale, 0.1), 1)
    self.seed = seed
  }

  /// The names of the tests, and the methods that run them.
  private static let parts:
    [(name: String, ids: [String], run: @Sendable (EvacuationValidation) throws -> [EvacuationCase])] = [
      ("pre-movement", ["nist-1.1", "rimea-5"], { try $0.preMovement() }),
      ("corridor", ["nist-2.1", "rimea-1"], { try $0.corridor() }),
      ("stairs", ["nist-2.2-up", "nist-2.2-down"], { try $0.stairs() }),
      ("corner", ["nist-2.3", "nist-2.3-out", "rimea-15"], { try $0.corner() }),
      ("demographics", ["nist-2.4", "nist-2.4-mean"], { $0.demographics() }),
      ("fire", ["nist-2.5", "nist-2.6", "nist-2.6-way", "nist-3.2", "nist-3.2-free"], { try $0.fire() }),
      ("elevator", ["nist-2.7"], { try $0.elevator() }),
      ("counterflow", ["nist-2.8", "nist-2.8-out"], { try $0.counterflow() }),
      ("groups", ["nist-2.9", "nist-2.9-speed"], { try $0.groups() }),
      ("disabilities", ["nist-2.10", "nist-2.10-out"], { try $0.disabilities() }),
      ("allocation", ["nist-3.1", "rimea-10"], { try $0.allocation() }),
      ("affiliation", ["nist-3.3-known", "nist-3.3-free"], { try $0.affiliation() }),
      ("lost-exit", ["nist-4.1", "nist-4.1-before"], { try $0.lostExit() }),
      ("congestion", ["nist-5.1", "nist-5.1-stairs", "rimea-13"], { try $0.congestion() }),
      ("flow", ["nist-5.2", "nist-5.2-least"], { try $0.maximumFlow() }),
      ("sensitivity", ["rimea-8-speed", "rimea-8-delay"], { try $0.sensitivity() }),
      ("exits", ["rimea-9", "rimea-9-out"], { try $0.exits() }),
      ("choice", ["rimea-11", "rimea-11-out"], { try $0.choice() }),
    ]

  /// The names of the tests.
  package static var names: [String] { parts.map(\.name) }

  /// The identifiers of all cases of a complete validation, in order.
  package static var caseIDs: [String] { parts.flatMap(\.ids) }

  /// Runs tests.
  /// - Parameters:
  ///   - only: the tests to run, by ``names``; empty for all.
  ///   - progress: receives the number of finished tests and of all tests.
  /// - Returns: the cases of the finished tests, which are fewer after an interruption.
  /// - Throws: `VenueError` if a building cannot be prepared, which no valid program gives.
  package func run(only: [String] = [], progress: (Int, Int) -> Void = { _, _ in }) throws -> [EvacuationCase] {
    let parts = Self.parts.filter { only.isEmpty || only.contains($0.name) }
    var cases: [EvacuationCase] = []
    for (index, part) in parts.enumerated() {
      progress(index, parts.count)
      let made = try part.run(self)
      guard !isInterrupted() else { return cases }
      cases += made
    }
    progress(parts.count, parts.count)
    return cases
  }

  func random(_ number: UInt32) -> RandomStream { RandomStream(seed: seed, stream: 0x6576_6300 + number) }

  func people(_ count: Int, least: Int) -> Int { max(Int(Double(count) * scale), least) }

  func evacuate(
    _ building: ValidationBuilding, _ people: [ValidationBuilding.Person], rules: EvacuationRules = EvacuationRules(),
    seconds: Double = 600, losing losses: [String: Double] = [:], smoke: [String: Smoke] = [:]
  ) throws -> ValidationBuilding.Result {
    try building.evacuate(
      people, model: model, rules: rules, seconds: seconds, losing: losses, smoke: smoke, seed: seed,
      isInterrupted: isInterrupted)
  }
}
