import CordonCore

/// The rule by which a fix is outdoors.
///
/// Published trackers count a fix as outdoors when its accuracy radius is smaller than a threshold, since receivers are
/// inaccurate in buildings. Where a map is known, the probability that the person is in none of its buildings takes precedence.
package struct OutdoorRule: Sendable {
  /// Fixes with a smaller accuracy radius in metres are outdoors where no map is known.
  package var accuracy: Double
  /// The buildings of a known area; `nil` for none.
  package var buildings: BuildingMap?

  /// The published threshold in metres.
  package static let publishedAccuracy = 10.0

  /// Creates a rule.
  package init(accuracy: Double = OutdoorRule.publishedAccuracy, buildings: BuildingMap? = nil) {
    self.accuracy = accuracy
    self.buildings = buildings
  }

  /// Returns the probability that a fix is outdoors; NaN if it is unknown. A fix of unknown accuracy is not outdoors: it is
  /// unknown, also on a map.
  func probability(_ fix: PresenceFix) -> Double {
    guard fix.hasAccuracy else { return .nan }
    if let buildings, buildings.knows(fix.coordinate) {
      return buildings.outdoorProbability(at: fix.coordinate, accuracy: fix.accuracy)
    }
    return fix.accuracy < accuracy ? 1 : 0
  }

  /// Returns whether the centre of a fix is in a building, or what the accuracy says where no map is known; `nil` for a fix
  /// without an accuracy.
  func isIndoors(_ fix: PresenceFix) -> Bool? {
    guard fix.hasAccuracy else { return nil }
    if let buildings, buildings.knows(fix.coordinate) { return buildings.contains(fix.coordinate) }
    return fix.accuracy >= accuracy
  }
}
