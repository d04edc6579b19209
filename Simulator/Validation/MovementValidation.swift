import CordonCore
import CordonGeometry

/// Holds a pedestrian model to what is known of people: the tests of the RiMEA guideline, what doors carry, how
/// speed falls with density.
public struct MovementValidation: Sendable {
  /// The model.
  public var settings: CrowdSettings
  /// Seconds of a step.
  public var step: Double
  /// Seeds for what is a mean over several crowds.
  public var seeds: [UInt64]
  /// The share of the people of the two largest cases, 0 ... 1, for when there is little time.
  public var scale: Double
  /// Asked at every step, on the thread that validates; `true` ends what is being asked.
  public var isInterrupted: @Sendable () -> Bool = { false }
  /// Told how much of one question is answered, 0 ... 1, where that is known.
  var onShare: @Sendable (Double) -> Void = { _ in }

  /// A validation of a model. The seeds are others than those that the models were calibrated with (101 and on).
  public init(settings: CrowdSettings, step: Double = 0.1, seeds: [UInt64] = Array(1...20), scale: Double = 1) {
    self.settings = settings
    self.step = step
    self.seeds = seeds
    self.scale = min(max(scale, 0.05), 1)
  }

  /// What is asked, and the method that asks it.
  private static let parts: [(name: String, ask: @Sendable (MovementValidation) -> [MovementCase])] = [
    ("rimea-1", { $0.corridor() }), ("rimea-2", { $0.stairs() }), ("rimea-4", { $0.densities() }),
    ("rimea-5", { $0.startTimes() }), ("rimea-6", { $0.leftCorner() }), ("rimea-7", { $0.ages() }),
    ("rimea-9", { $0.exits() }), ("rimea-10", { $0.assignedExits() }), ("rimea-11", { $0.exitChoice() }),
    ("rimea-12", { $0.bottlenecks() }), ("rimea-13", { $0.stairFoot() }), ("rimea-14", { $0.routes() }),
    ("free-speed", { $0.freeSpeeds() }), ("door", { $0.doors() }), ("two-way", { $0.twoWayDoors() }),
  ]

  /// The cases that a whole validation comes to, by ``MovementCase/id`` and in order.
  public static var caseIDs: [String] {
    let ages = FreeSpeeds.Group.allCases.map { "rimea-7-\($0.rawValue)" }
    let doors = doorWidths.flatMap { ["door-\($0)", "door-\($0)-jams"] }
    return ["rimea-1", "rimea-2", "rimea-3"] + densityLevels.map { "rimea-4-\($0)" }
      + ["rimea-5", "rimea-6", "rimea-6-clean"] + ages
      + [
        "rimea-9", "rimea-9-out", "rimea-10", "rimea-11", "rimea-11-out", "rimea-12", "rimea-12-room", "rimea-13",
        "rimea-13-foot", "rimea-14", "rimea-14-out", "free-speed-mean", "free-speed-spread",
      ] + doors + twoWayWidths.map { "two-way-\($0)" }
  }

  /// The names of what can be asked; `rimea-2` includes RiMEA 3.
  public static var names: [String] { parts.map(\.name) }

  /// The cases.
  /// - Parameters:
  ///   - only: what to ask, by ``names``; everything when empty.
  ///   - progress: told the number of questions answered, in parts of a question, and of all.
  /// - Returns: the cases; when interrupted, those of the questions that were answered until then.
  public func run(
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
      // An answer that was cut short is none.
      guard !isInterrupted() else { return cases }
      cases += answers
    }
    progress(Double(count), count)
    return cases
  }

  func crowd(_ walls: [PlaneSegment], people: Int, doorways: Int = 0, seed: UInt64 = 1) -> PedestrianCrowd {
    PedestrianCrowd(walls: walls, people: people, doorways: doorways, settings: settings, seed: seed)
  }

  func random(_ number: UInt32, seed: UInt64 = 1) -> RandomStream {
    RandomStream(seed: seed, stream: 0x7661_6c00 + number)
  }

  /// Sends a person from where they are to a node of `graph`, round its corners and through its doors, of which the first is
  /// the node `firstDoor`; `radius` is how near is there, metres.
  func send(
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

  /// Steps until `isDone`, at most for so many seconds, or until interrupted; says how many it took.
  func walk(_ crowd: PedestrianCrowd, for seconds: Double, until isDone: (Double) -> Bool) -> Double {
    var time = 0.0
    while time < seconds, !isInterrupted() {
      crowd.step(seconds: step)
      time += step
      if isDone(time) { break }
    }
    return time
  }
}
