import CordonCore
package import CordonCrowd
import CordonGeometry
package import CordonNavigation

/// A validation of a pedestrian model against known results.
///
/// It contains the tests of the RiMEA guideline, the flow of doors, and the relation of speed and density.
package struct MovementValidation: Sendable {
  /// The pedestrian model.
  package var settings: CrowdSettings
  /// Length of a step, in seconds.
  package var step: Double
  /// The seeds of cases that are repeated with several crowds.
  package var seeds: [UInt64]
  /// Factor of the number of people in the largest cases and studies, 0.05 ... 1; smaller values save time.
  package var scale: Double
  /// Polled at every step, on the thread that validates; `true` ends the current test.
  package var isInterrupted: @Sendable () -> Bool = { false }
  /// Receives the finished share of one test, 0 ... 1, if it is known.
  var onShare: @Sendable (Double) -> Void = { _ in }

  /// Creates a validation of a model.
  ///
  /// The default seeds differ from those of the calibration, which start at 101.
  /// - Parameters:
  ///   - settings: the pedestrian model.
  ///   - step: the length of a step, in seconds.
  ///   - seeds: the seeds of cases that are repeated with several crowds.
  ///   - scale: the factor of the number of people in the largest cases, limited to 0.05 ... 1.
  package init(settings: CrowdSettings, step: Double = 0.1, seeds: [UInt64] = Array(1...20), scale: Double = 1) {
    self.settings = settings
    self.step = step
    self.seeds = seeds
    self.scale = min(max(scale, 0.05), 1)
  }

  /// The names of the tests, and the methods that run them.
  private static let parts: [(name: String, ask: @Sendable (MovementValidation) -> [MovementCase])] = [
    ("rimea-1", { $0.corridor() }), ("rimea-2", { $0.stairs() }), ("rimea-4", { $0.densities() }),
    ("rimea-5", { $0.startTimes() }), ("rimea-6", { $0.leftCorner() }), ("rimea-7", { $0.ages() }),
    ("rimea-9", { $0.exits() }), ("rimea-10", { $0.assignedExits() }), ("rimea-11", { $0.exitChoice() }),
    ("rimea-12", { $0.bottlenecks() }), ("rimea-13", { $0.stairFoot() }), ("rimea-14", { $0.routes() }),
    ("free-speed", { $0.freeSpeeds() }), ("door", { $0.doors() }), ("two-way", { $0.twoWayDoors() }),
    ("lateral", { $0.lateral() }),
  ]

  /// The identifiers (``MovementCase/id``) of all cases of a complete validation, in order.
  package static var caseIDs: [String] {
    let ages = FreeSpeeds.Group.allCases.map { "rimea-7-\($0.rawValue)" }
    let doors = doorWidths.flatMap { ["door-\($0)", "door-\($0)-jams"] }
    return ["rimea-1", "rimea-2", "rimea-3"] + densityLevels.map { "rimea-4-\($0)" }
      + ["rimea-5", "rimea-6", "rimea-6-clean"] + ages
      + [
        "rimea-9", "rimea-9-out", "rimea-10", "rimea-11", "rimea-11-out", "rimea-12", "rimea-12-room", "rimea-13",
        "rimea-13-foot", "rimea-14", "rimea-14-out", "free-speed-mean", "free-speed-spread",
      ] + doors + twoWayWidths.map { "two-way-\($0)" }
      + LateralMeasurement.all.flatMap { ["lateral-\($0.entrance)", "lateral-\($0.entrance)-spread"] }
      + ["lateral-side", "lateral-side-jams"]
  }

  /// The names of the tests; `rimea-2` includes RiMEA 3.
  package static var names: [String] { parts.map(\.name) }

  /// Runs tests.
  /// - Parameters:
  ///   - only: the tests to run, by ``names``; empty for all. Other names are ignored.
  ///   - progress: receives the number of finished tests, in fractions of a test, and the number of all tests.
  /// - Returns: the cases of the finished tests, which are fewer after an interruption.
  package func run(
    only: [String] = [], progress: @escaping @Sendable (Double, Int) -> Void = { _, _ in }
  ) -> [MovementCase] {
    let parts = Self.parts.filter { only.isEmpty || only.contains($0.name) }
    let count = parts.count
    var cases: [MovementCase] = []
    for (index, part) in parts.enumerated() {
      progress(Double(index), count)
      var asking = self
      asking.onShare = { progress(Double(index) + min($0, 1), count) }
      let answers = part.ask(asking)
      // An interrupted test has no valid result.
      guard !isInterrupted() else { return cases }
      cases += answers
    }
    progress(Double(count), count)
    return cases
  }

  package func crowd(_ walls: [PlaneSegment], people: Int, doorways: Int = 0, seed: UInt64 = 1) -> PedestrianCrowd {
    PedestrianCrowd(walls: walls, people: people, doorways: doorways, settings: settings, seed: seed)
  }

  package func random(_ number: UInt32, seed: UInt64 = 1) -> RandomStream {
    RandomStream(seed: seed, stream: 0x7661_6c00 + number)
  }

  /// Sends a person from the current position to a node of `graph`, round its corners and through its doors.
  /// - Parameters:
  ///   - radius: the distance at which the node counts as reached, in metres.
  ///   - firstDoor: the index of the first door among the nodes.
  package func send(
    _ person: Int, of crowd: PedestrianCrowd, over graph: WayGraph, to node: Int = 0, radius: Double = 0.8,
    firstDoor: Int = 0
  ) {
    let way = graph.way(from: crowd.position(of: person), to: node) ?? []
    crowd.send(
      person,
      along: crowd.add(
        way: way.map { step in
          switch graph.nodes[step.node] {
          case .corner(let point): .point(point, radius: 0.4)
          case .destination(let point): .point(point, radius: radius)
          case .door(let line): .door(line, toLeft: step.isToLeft, number: step.node - firstDoor)
          }
        }))
  }

  /// Runs steps until `isDone`, an interruption or the given time, and returns the simulated time in seconds.
  package func walk(_ crowd: PedestrianCrowd, for seconds: Double, until isDone: (Double) -> Bool) -> Double {
    var time = 0.0
    while time < seconds, !isInterrupted() {
      crowd.step(seconds: step)
      time += step
      if isDone(time) { break }
    }
    return time
  }
}
