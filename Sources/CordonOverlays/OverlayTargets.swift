import CordonCore
import CordonSupport
package import CordonVenues
import CordonYAML

/// Finds the parts of a venue that an overlay names.
///
/// An identifier takes precedence over a name, and both over a pattern.
package struct OverlayTargets {
  let venue: Venue

  /// Creates the targets in a venue, whose floors are already moved and whose names are those of the map.
  package init(venue: Venue) { self.venue = venue }

  /// Returns the indices of all spaces that a text means.
  /// - Throws: `YAMLFault` if it means none.
  package func spaces(_ target: VenueOverlay.Placed<String>) throws -> [Int] {
    let text = target.value
    if let index = venue.spaces.firstIndex(where: { $0.id.rawValue == text }) { return [index] }
    let named = venue.spaces.indices.filter { isCalled(venue.spaces[$0], text) }
    if !named.isEmpty { return named }
    if NamePattern.isPattern(text) {
      let pattern = NamePattern(text)
      let matching = venue.spaces.indices.filter { index in
        let space = venue.spaces[index]
        return pattern.matches(space.id.rawValue) || space.name.values.values.contains(where: pattern.matches)
      }
      if !matching.isEmpty { return matching }
      throw fault(target, "no space matches '\(Quotation.of(text))'")
    }
    let names = venue.spaces.flatMap { [$0.id.rawValue] + $0.name.values.values.sorted() }
    throw fault(target, "no space '\(Quotation.of(text))'" + Suggestion.hint(for: text, among: names))
  }

  /// The spaces that a door, an entrance or a connection names.
  func candidates(_ target: VenueOverlay.Placed<String>) throws -> [Space] {
    try spaces(target).map { venue.spaces[$0] }
  }

  /// The index of a floor.
  func floor(_ target: VenueOverlay.Placed<String>) throws -> Int {
    let text = target.value
    if let index = venue.floors.firstIndex(where: { $0.id.rawValue == text }) { return index }
    let named = venue.floors.indices.filter { index in
      let floor = venue.floors[index]
      return floor.name.values.values.contains(text) || floor.shortName.values.values.contains(text)
    }
    if named.count == 1 { return named[0] }
    let names = venue.floors.flatMap {
      [$0.id.rawValue] + $0.name.values.values.sorted() + $0.shortName.values.values.sorted()
    }
    throw fault(
      target,
      named.isEmpty
        ? "no floor '\(Quotation.of(text))'" + Suggestion.hint(for: text, among: names)
        : "\(named.count) floors have the name '\(Quotation.of(text))'; give the id of one: "
          + named.map { venue.floors[$0].id.rawValue }.joined(separator: ", "))
  }

  private func isCalled(_ space: Space, _ text: String) -> Bool { space.name.values.values.contains(text) }

  func fault(_ target: VenueOverlay.Placed<String>, _ message: String) -> YAMLFault {
    YAMLFault(line: target.line, path: target.path, message: message)
  }
}
