extension Connectivity {
  /// The entrances from which people reach at most two small spaces, with the parts behind them.
  ///
  /// Their part has less than ``maximumUnreachableShare`` of the area of all parts.
  package var entrancesToNowhere: [(entrance: PlanEntrance, part: Part)] {
    let limit = parts.reduce(0) { $0 + $1.squareMetres } * Connectivity.maximumUnreachableShare
    return parts.dropFirst().filter { part in
      part.spaces.count <= 2 && part.squareMetres < limit
    }.flatMap { part in part.entrances.map { ($0, part) } }.sorted { $0.entrance.number < $1.entrance.number }
  }

  /// The parts beside the largest one that have an entrance of their own and at least ``largeShare`` of the area of all
  /// parts or of the spaces.
  package var largeParts: [Part] {
    let area = parts.reduce(0) { $0 + $1.squareMetres } * Connectivity.largeShare
    let spaces = Double(parts.reduce(0) { $0 + $1.spaces.count }) * Connectivity.largeShare
    return parts.dropFirst().filter { part in
      !part.entrances.isEmpty && !part.spaces.isEmpty
        && (part.squareMetres >= area || Double(part.spaces.count) >= spaces)
    }
  }

  /// The share of the area or the spaces from which a separate part is most likely a fault of the map.
  private static let largeShare = 0.2
}
