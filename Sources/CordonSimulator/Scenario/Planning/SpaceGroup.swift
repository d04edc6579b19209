import CordonSupport
import CordonVenues

/// Spaces that a scenario counts together, such as a department.
package struct SpaceGroup: Hashable, Sendable {
  /// The name.
  package var name: String
  /// Identifiers, names, kinds, or patterns with `*` and `?`.
  package var members: [Policies.Target]
  /// The permitted maximum of all spaces together; `nil` for the sum of the limits of its spaces.
  package var capacity: Int?
}

/// The spaces of a group in a venue.
struct ResolvedGroup: Hashable, Sendable {
  let name: String
  /// The spaces in the order of the venue.
  let spaces: [SpaceID]
  let capacity: Int?
}

extension Scenario {
  /// Returns the groups of the scenario in their order, with the spaces that the map or its overlay puts into groups of the same
  /// names, and then the other groups of the map by name.
  /// - Throws: ``ScenarioError`` for a member that means no space of the venue.
  func resolvedGroups(in venue: Venue) throws(ScenarioError) -> [ResolvedGroup] {
    var members: [String: Set<SpaceID>] = [:]
    for space in venue.spaces { if let group = space.group { members[group, default: []].insert(space.id) } }
    let others = members.keys.filter { name in !groups.contains { $0.name == name } }.sorted()
    for group in groups {
      for target in group.members {
        let spaces = SpaceGroup.spaces(target.name, in: venue)
        guard !spaces.isEmpty else { throw SpaceGroup.unknown(target, of: group.name, in: venue) }
        members[group.name, default: []].formUnion(spaces)
      }
    }
    let capacities = Dictionary(groups.map { ($0.name, $0.capacity) }, uniquingKeysWith: { first, _ in first })
    return (groups.map(\.name) + others).map { name in
      let own = members[name] ?? []
      return ResolvedGroup(
        name: name, spaces: venue.spaces.map(\.id).filter(own.contains), capacity: capacities[name] ?? nil)
    }
  }
}

extension SpaceGroup {
  /// Returns the spaces that a text means: by identifier, else by name, else by kind, else by pattern.
  static func spaces(_ text: String, in venue: Venue) -> [SpaceID] {
    if let space = venue.spaces.first(where: { $0.id.rawValue == text }) { return [space.id] }
    let named = venue.spaces.filter { $0.name.values.values.contains(text) }
    if !named.isEmpty { return named.map(\.id) }
    let ofKind = venue.spaces.filter { $0.kind.rawValue == text }
    guard ofKind.isEmpty, NamePattern.isPattern(text) else { return ofKind.map(\.id) }
    let pattern = NamePattern(text)
    return venue.spaces.filter {
      pattern.matches($0.id.rawValue) || $0.name.values.values.contains(where: pattern.matches)
    }.map(\.id)
  }

  fileprivate static func unknown(_ target: Policies.Target, of group: String, in venue: Venue) -> ScenarioError {
    let path = "groups.\(group)"
    guard NamePattern.isPattern(target.name) else {
      let names = venue.spaces.flatMap { $0.name.values.values.sorted() + [$0.kind.rawValue, $0.id.rawValue] }
      return Scenario.unknown(target, path, "space", names)
    }
    // The name that matches the text between the wildcards best.
    let words = String(target.name.filter { $0 != "*" && $0 != "?" })
    let names = Set(venue.spaces.compactMap { $0.name.text() })
    let similar = names.filter { $0.containsInAnyCase(words) }.min()
    return ScenarioError(
      line: target.line, path: path,
      message: "no space matches '\(target.name)'"
        + (similar.map { " (did you mean '\($0)'?)" } ?? Suggestion.hint(for: words, among: names.sorted())))
  }
}

extension String {
  /// Whether another text is part of this one, in any case of letters; false for an empty text.
  fileprivate func containsInAnyCase(_ other: String) -> Bool {
    !other.isEmpty && lowercased().contains(other.lowercased())
  }
}
