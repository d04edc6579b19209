import CordonCore
package import CordonSupport

/// An evacuation as one JSON object, for `--json` and `evacuation.json`.
package struct EvacuationJSON {
  private let report: EvacuationReport

  /// Creates the object of a report.
  package init(_ report: EvacuationReport) { self.report = report }

  /// The object; docs/reference/evacuation.md describes its keys.
  package var object: JSONValue { .object(members) }

  /// The members of the object, to which a command adds its own.
  package var members: [JSONValue.Member] {
    [
      .init("schema", "cordon.evacuate/1"), .init("title", .string(report.title)),
      .init("venue", .string(report.venue.name)), .init("start", .string(report.start.rfc3339)),
      .init("partial", .bool(report.isPartial)), .init("replicas", JSONValue(report.replicas.count)),
      .init(
        "parameters",
        .array(report.parameters.map { ["name": .string($0.name), "value": .string($0.value)] })),
      .init("figures", .array(report.figures.map(figure))), .init("exits", .array(report.exits.map(exit))),
      .init("bottlenecks", .array(report.passages.map(passage))), .init("spaces", .array(spaces)),
      .init(
        "inside",
        .array(
          report.insideByTime.enumerated().map { bin, counts in
            [
              "time_s": number(Double(bin) * EvacuationReport.bin),
              "people_mean": number(Double(counts.reduce(0, +)) / Double(max(counts.count, 1))),
            ]
          })), .init("notes", .array(report.notes.map(JSONValue.string))),
    ]
  }

  private func number(_ value: Double) -> JSONValue {
    value.isFinite ? .number((value * 1_000).rounded() / 1_000) : .null
  }

  private func figure(_ figure: EvacuationReport.Figure) -> JSONValue {
    [
      "name": .string(figure.name), "title": .string(figure.title), "mean": number(figure.mean),
      "low": figure.margin.isFinite ? number(figure.low) : .null, "high": number(figure.high),
      "minimum": number(figure.minimum), "maximum": number(figure.maximum), "replicas": JSONValue(figure.count),
    ]
  }

  private func exit(_ exit: EvacuationReport.Exit) -> JSONValue {
    let passage = report.replicas.first?.passages.first { $0.place.kind == .exit && $0.place.id == exit.id }
    return [
      "id": .string(exit.id), "name": .string(exit.name), "floor": .number(exit.floor.value),
      "width_m": number(exit.width), "width_assumed": .bool(exit.isAssumedWidth), "closed": .bool(exit.isClosed),
      "people_mean": number(report.mean(of: exit)), "last_s": passage?.times.last.map(number) ?? .null,
      "flow_maximum_per_min": JSONValue(passage?.maximumPerMinute ?? 0),
    ]
  }

  private func passage(_ item: EvacuationReport.PassageSummary) -> JSONValue {
    [
      "kind": .string(item.place.kind.rawValue), "id": .string(item.place.id), "name": .string(item.place.name),
      "floor": .number(item.place.floor.value), "people_mean": number(item.passed),
      "waited_person_s_mean": number(item.waiting), "waited_maximum_s": number(item.longest),
    ]
  }

  private var spaces: [JSONValue] {
    (report.replicas.first?.spaces ?? []).map { space in
      let place = report.venue.spaces[space.number]
      return [
        "id": .string(place.id.rawValue), "name": .string(place.title), "kind": .string(place.kind),
        "floor": .number(report.venue.floors[place.floor].ordinal.value), "area_m2": number(place.area),
        "people_start": JSONValue(space.start), "people_maximum": JSONValue(space.peak),
        "level_of_service": .string(report.level(of: space).rawValue), "cleared_s": space.cleared.map(number) ?? .null,
      ]
    }
  }
}
