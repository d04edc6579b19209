import CordonCore
import CordonRun
import CordonVenues

/// The names of the places in which people wait.
struct QueueNames {
  let places: RunPlaces
  private let connections: [String: (name: String, floors: [FloorID])]

  init(places: RunPlaces, venue: Venue) {
    self.places = places
    connections = Dictionary(
      venue.connections.map { ($0.id, (name: $0.name.text() ?? "", floors: $0.landings.map(\.floor))) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns a queue with its name and its space.
  func named(_ queue: RunOutcome.Queue) -> RunOutcome.Queue {
    var queue = queue
    let space = places.number(of: SpaceID(queue.place))
    if space != ObservedLocation.noSpace {
      queue.space = space
      let title = places.venue.spaces[Int(space)].title
      queue.name = queue.name.isEmpty ? title : "\(title): \(queue.name)"
    } else if queue.name.isEmpty {
      queue.name = name(ofConnection: queue.place, kind: queue.kind)
    }
    return queue
  }

  /// Returns the name of a connection: that of the map, that of its lowest space, or its kind with its floors.
  func name(ofConnection id: String, kind: String) -> String {
    let title = kind.prefix(1).uppercased() + kind.dropFirst().replacing("-", with: " ")
    guard let connection = connections[id] else {
      // A connection that the plan derives is named after its lowest space.
      let lowest =
        id.hasPrefix(PlanConnection.derivedPrefix) ? String(id.dropFirst(PlanConnection.derivedPrefix.count)) : id
      let space = places.number(of: SpaceID(lowest))
      return space == ObservedLocation.noSpace ? title : places.venue.spaces[Int(space)].title
    }
    guard connection.name.isEmpty else { return connection.name }
    let floors = places.venue.floors.filter { connection.floors.contains($0.id) }.map(\.name)
    guard let first = floors.first, let last = floors.last, floors.count > 1 else { return title }
    return "\(title), \(first) to \(last)"
  }
}
