import CordonCore
package import CordonSupport

extension RunContents {
  /// A group or a space with minutes above its capacity, from truth.
  private struct Crowded {
    var kind: String
    var name: String
    var id: JSONValue
    var presence: RunOutcome.Place
  }

  /// The groups, then the spaces.
  private var crowded: [Crowded] {
    let groups = outcome.groups.map { row in
      Crowded(kind: "group", name: venue.groups[row.number].name, id: .null, presence: row.presence)
    }
    let titles = venue.distinctTitles
    let spaces = outcome.places.filter { $0.space != ObservedLocation.noSpace }.map { row in
      let id = venue.spaces[Int(row.space)].id.rawValue
      return Crowded(kind: "space", name: titles[Int(row.space)], id: .string(id), presence: row)
    }
    return (groups + spaces).filter { $0.presence.source == .truth && $0.presence.minutesOverCapacity ?? 0 > 0 }
  }

  /// The member `over_capacity` of `cordon simulate --json`.
  package var overCapacity: JSONValue {
    .array(
      crowded.map { item in
        .object([
          .init("kind", .string(item.kind)), .init("id", item.id), .init("name", .string(item.name)),
          .init("capacity", JSONValue(item.presence.capacity)),
          .init("minutes", JSONValue(item.presence.minutesOverCapacity)),
          .init("minutes_staying", JSONValue(item.presence.minutesOverCapacityStaying)),
          .init("minutes_passing", JSONValue(item.presence.minutesOverCapacityPassing)),
        ])
      })
  }

  /// The lines of the summary about capacities: those with the most minutes above, then the number of the rest. Empty when
  /// no capacity was exceeded.
  package var overCapacityText: String {
    let sorted = crowded.sorted { $0.presence.minutesOverCapacity ?? 0 > $1.presence.minutesOverCapacity ?? 0 }
    guard !sorted.isEmpty else { return "" }
    func minutes(_ value: Double?) -> String { value.map { Quantity.decimal($0, places: 1) } ?? "-" }
    var lines = sorted.prefix(5).map { item in
      let presence = item.presence
      return "Above capacity: \(item.name)\(presence.capacity.map { " (\($0))" } ?? ""), "
        + "\(minutes(presence.minutesOverCapacity)) min: \(minutes(presence.minutesOverCapacityStaying)) by people who stay, "
        + "\(minutes(presence.minutesOverCapacityPassing)) by people who pass"
    }
    if sorted.count > 5 { lines.append("Above capacity: \(sorted.count - 5) more; see spaces.csv and groups.csv") }
    return lines.joined(separator: "\n") + "\n"
  }
}
