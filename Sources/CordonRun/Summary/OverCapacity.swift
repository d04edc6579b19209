import CordonCore
package import CordonSupport

extension RunContents {
  /// The member `over_capacity` of `cordon simulate --json`: the groups and spaces with minutes above their capacity, from truth.
  package var overCapacity: JSONValue {
    let groups = outcome.groups.map { ("group", venue.groups[$0.number].name, JSONValue.null, $0.presence) }
    let spaces = outcome.places.filter { $0.space != ObservedLocation.noSpace }.map { row in
      let space = venue.spaces[Int(row.space)]
      return ("space", space.title, JSONValue.string(space.id.rawValue), row)
    }
    return .array(
      (groups + spaces).filter { $0.3.source == .truth && $0.3.minutesOverCapacity ?? 0 > 0 }.map {
        kind, name, id, row in
        .object([
          .init("kind", .string(kind)), .init("id", id), .init("name", .string(name)),
          .init("capacity", JSONValue(row.capacity)), .init("minutes", JSONValue(row.minutesOverCapacity)),
          .init("minutes_staying", JSONValue(row.minutesOverCapacityStaying)),
          .init("minutes_passing", JSONValue(row.minutesOverCapacityPassing)),
        ])
      })
  }
}
