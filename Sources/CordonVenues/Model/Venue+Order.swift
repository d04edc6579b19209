extension Venue {
  /// Restores the order of openings and connections, after some were added.
  package mutating func sortPassages() {
    let rank = Dictionary(floors.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    openings = SourceOrder.sorted(openings, floor: { rank[$0.floor] ?? .max }, id: \.id)
    connections = SourceOrder.sorted(connections, floor: { _ in 0 }, id: \.id)
  }
}
