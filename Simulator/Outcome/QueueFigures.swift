import CordonCore
import CordonRun
import CordonVenues

/// Who waited where: for elevators and at service points.
enum QueueFigures {
  /// One row for each place where somebody waited, in the order of kind and place.
  static func rows(_ truth: Truth, until end: Instant, in world: World) -> [RunOutcome.Queue] {
    var byPlace: [Key: [(start: Int64, end: Int64)]] = [:]
    for person in truth.people {
      for wait in person.waits where wait.start < end {
        let key =
          switch wait.reason {
          case .connection(let index): Key(kind: "elevator", place: world.plan.connections[index].id)
          case .service(let index): Key(kind: "desk", place: name(of: index, in: world))
          }
        byPlace[key, default: []].append((wait.start.milliseconds, min(wait.end, end).milliseconds))
      }
    }
    let span = max((end - truth.start).seconds, 1e-3)
    return byPlace.keys.sorted { ($0.kind, $0.place) < ($1.kind, $1.place) }.map { key in
      let waits = byPlace[key] ?? []
      let seconds = waits.map { Double($0.end - $0.start) / 1_000 }.sorted()
      let total = seconds.reduce(0, +)
      return RunOutcome.Queue(
        kind: key.kind, place: key.place, served: waits.count, meanLength: total / span, longest: longest(waits),
        meanWait: total / Double(max(waits.count, 1)),
        p95Wait: seconds.isEmpty ? 0 : seconds[min(Int(0.95 * Double(seconds.count)), seconds.count - 1)])
    }
  }

  private struct Key: Hashable {
    var kind: String
    var place: String
  }

  private static func name(of destination: Int, in world: World) -> String {
    let target = world.destinations[destination]
    return target.space.map { world.plan.spaces[$0].id.rawValue } ?? "floor \(target.floor), place \(destination)"
  }

  /// The most who waited at one time; those who go make room for those who come at the same moment.
  private static func longest(_ waits: [(start: Int64, end: Int64)]) -> Int {
    let changes = waits.flatMap { [($0.start, 1), ($0.end, -1)] }.sorted { $0 < $1 }
    var (now, most) = (0, 0)
    for (_, change) in changes {
      now += change
      most = max(most, now)
    }
    return most
  }
}
