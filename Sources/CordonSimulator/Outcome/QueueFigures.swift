import CordonCore
import CordonCrowd
import CordonRun
import CordonVenues

/// The waits of people in queues.
struct QueueFigures {
  let world: World
  let stations: [ServiceStation]
  let start: Instant
  let end: Instant

  func rows(_ waits: [Wait]) -> [RunOutcome.Queue] {
    struct Line: Hashable, Comparable {
      var kind: String
      var place: String
      /// The name of the service at a desk; empty for other queues.
      var service: String

      static func < (a: Line, b: Line) -> Bool { (a.kind, a.place, a.service) < (b.kind, b.place, b.service) }
    }
    var lines: [Line: [Wait]] = [:]
    for wait in waits where wait.start < end { lines[line(wait.reason, Line.init), default: []].append(wait) }
    let span = max((end - start).seconds, 1)
    return lines.keys.sorted().map { line in
      let waits = lines[line] ?? []
      let lengths = Sample(waits.map { (min($0.end, end) - $0.start).seconds })
      // At equal times, people leave before others join.
      let changes = waits.flatMap { [($0.start.milliseconds, 1), (min($0.end, end).milliseconds, -1)] }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      var (now, maximum) = (0, 0)
      for change in changes {
        now += change.1
        maximum = max(maximum, now)
      }
      func rounded(_ value: Double) -> Double { (value * 1e3).rounded() / 1e3 }
      var queue = RunOutcome.Queue(
        kind: line.kind, place: line.place, served: waits.count,
        meanLength: rounded(lengths.sorted.reduce(0, +) / span), longest: maximum, meanWait: rounded(lengths.mean),
        p95Wait: rounded(lengths.quantile(0.95)))
      queue.name = line.service
      return queue
    }
  }

  private func line<Line>(_ reason: Wait.Reason, _ make: (_ kind: String, _ place: String, _ service: String) -> Line)
    -> Line
  {
    switch reason {
    case .connection(let index):
      let connection = world.plan.connections[index]
      return make(connection.kind.rawValue, connection.id, "")
    case .station(let index, _):
      // The queue of people who are called to several spaces belongs to none of them.
      let station = stations[index]
      let destinations = Set(station.servers.map(\.destination))
      let place = destinations.count == 1 ? destinations.first.map(identifier(ofDestination:)) : nil
      return make("desk", place ?? station.name, station.name)
    case .service(let index): return make("desk", identifier(ofDestination: index), "")
    case .room(let index): return make("room", identifier(ofDestination: index), "")
    }
  }

  private func identifier(ofDestination index: Int) -> String {
    let destination = world.destinations[index]
    return destination.space.map { world.plan.spaces[$0].id.rawValue } ?? "floor \(destination.floor)"
  }
}
