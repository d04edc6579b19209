/// A space whose air is well mixed: one concentration everywhere in it.
package struct AirSpace: Hashable, Sendable {
  /// The identifier in results.
  package var id: String
  /// The volume of the air in cubic metres, greater than 0.
  package var volume: Double
  /// The outdoor air changes per hour, 0 or more: they remove carbon dioxide and quanta.
  package var airChanges: Double
  /// The equivalent air changes per hour of filters in recirculated air, 0 or more: they remove quanta only.
  package var filtration: Double

  /// Creates a space from its parts.
  package init(id: String, volume: Double, airChanges: Double, filtration: Double = 0) {
    self.id = id
    self.volume = volume
    self.airChanges = airChanges
    self.filtration = filtration
  }
}

/// An opening through which two spaces exchange air in both directions.
package struct AirLink: Hashable, Sendable {
  /// The index of one space.
  package var first: Int
  /// The index of the other space.
  package var second: Int
  /// The flow in each direction in cubic metres per hour, 0 or more.
  package var flow: Double

  /// Creates a link from its parts.
  package init(_ first: Int, _ second: Int, flow: Double) {
    self.first = first
    self.second = second
    self.flow = flow
  }
}
