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

  /// The names of what can be asked; `rimea-2` includes RiMEA 3.
  public static var names: [String] { parts.map(\.name) }

  /// The cases.
  /// - Parameters:
  ///   - only: what to ask, by ``names``; everything when empty.
  ///   - progress: told the number of questions answered and of all.
  public func run(only: [String] = [], progress: (Int, Int) -> Void = { _, _ in }) -> [MovementCase] {
    let parts = Self.parts.filter { only.isEmpty || only.contains($0.name) }
    var cases: [MovementCase] = []
    for (index, part) in parts.enumerated() {
      progress(index, parts.count)
      cases += part.ask(self)
    }
    progress(parts.count, parts.count)
    return cases
  }

  func crowd(_ walls: [PlaneSegment], people: Int, doorways: Int = 0, seed: UInt64 = 1) -> Crowd {
    Crowd(walls: walls, people: people, doorways: doorways, settings: settings, seed: seed)
  }

  func random(_ number: UInt32, seed: UInt64 = 1) -> RandomStream {
    RandomStream(seed: seed, stream: 0x7661_6c00 + number)
  }

  /// Steps until `isDone`, at most for so many seconds; says how many it took.
  func walk(_ crowd: Crowd, for seconds: Double, until isDone: (Double) -> Bool) -> Double {
    var time = 0.0
    while time < seconds {
      crowd.step(seconds: step)
      time += step
      if isDone(time) { break }
    }
    return time
  }
}
