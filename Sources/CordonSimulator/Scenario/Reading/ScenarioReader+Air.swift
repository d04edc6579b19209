import CordonAir
import CordonCore
import CordonYAML

/// The reader of the key `air` of a scenario.
struct AirReader {
  private static let rate = 0.0...1_000.0

  func air(_ value: YAMLValue) throws -> AirRules {
    let fields = try value.fields([
      "outdoor_co2", "ceiling", "air_changes", "filtration", "decay", "deposition", "doors", "masks", "activities",
      "index_cases", "immune", "short_range", "bin",
    ])
    var air = AirRules()
    air.outdoorCO2 = try fields["outdoor_co2"]?.number(in: 0...10_000) ?? air.outdoorCO2
    if let ceiling = fields["ceiling"] {
      air.ceiling = try values(ceiling, in: 1...200, standard: air.ceiling.standard)
    }
    if let changes = fields["air_changes"] {
      air.airChanges = try values(changes, in: Self.rate, standard: air.airChanges.standard)
    }
    if let filtration = fields["filtration"] { air.filtration = try values(filtration, in: Self.rate, standard: 0) }
    air.decay = try fields["decay"]?.number(in: Self.rate) ?? air.decay
    air.deposition = try fields["deposition"]?.number(in: Self.rate) ?? air.deposition
    if let doors = fields["doors"] { air.doors = try self.doors(doors) }
    air.masks = try fields["masks"].map(masks)
    air.activities = try (fields["activities"]?.items ?? []).map(emission)
    if let cases = fields["index_cases"] { try indexCases(cases, into: &air) }
    air.immune = try fields["immune"]?.number(in: 0...1) ?? air.immune
    if let near = fields["short_range"] {
      let fields = try near.fields(["distance", "facing"])
      air.shortRange = try fields["distance"]?.number(in: 0...10) ?? air.shortRange
      air.facing = try fields["facing"]?.number(in: 0...1) ?? air.facing
    }
    air.bin = try fields["bin"]?.span(in: .seconds(10)...TimeSpan.hours(24)) ?? air.bin
    return air
  }

  /// Reads a number, or numbers by identifier, name, kind and pattern with one for `default`.
  private func values(_ value: YAMLValue, in range: ClosedRange<Double>, standard: Double) throws -> AirValues {
    guard case .map(let entries) = value.node.content else { return AirValues(try value.number(in: range)) }
    var values = AirValues(standard)
    for entry in entries {
      let number = try YAMLValue(node: entry.value, path: "\(value.path).\(entry.key)").number(in: range)
      if entry.key == "default" {
        values.standard = number
      } else {
        values.entries.append(
          AirValues.Entry(target: Policies.Target(name: entry.key, line: entry.line), value: number))
      }
    }
    return values
  }

  private func doors(_ value: YAMLValue) throws -> AirRules.Doors {
    let fields = try value.fields(["open", "height", "temperature_difference"])
    var doors = AirRules.Doors()
    if let open = fields["open"] { doors.open = try values(open, in: 0...1, standard: 0) }
    doors.height = try fields["height"]?.number(in: 0.5...20) ?? doors.height
    doors.temperatureDifference =
      try fields["temperature_difference"]?.number(in: 0...30) ?? doors.temperatureDifference
    return doors
  }

  private func masks(_ value: YAMLValue) throws -> AirRules.Masks {
    let fields = try value.fields(["exhaled", "inhaled", "share", "populations"])
    return AirRules.Masks(
      exhaled: try fields.required("exhaled").number(in: 0...1),
      inhaled: try fields.required("inhaled").number(in: 0...1),
      share: try fields["share"]?.number(in: 0...1) ?? 1, populations: try targets(fields["populations"]))
  }

  private func emission(_ value: YAMLValue) throws -> AirRules.Emission {
    let fields = try value.fields(["name", "co2", "breathing", "quanta", "masks"])
    let name = try fields.required("name")
    return AirRules.Emission(
      target: Policies.Target(name: try name.text, line: name.node.line), co2: try fields["co2"]?.number(in: 0...1),
      breathing: try fields["breathing"]?.number(in: 0.01...20), quanta: try fields["quanta"]?.number(in: 0...1e6),
      hasMasks: try fields["masks"]?.truth ?? true)
  }

  private func indexCases(_ value: YAMLValue, into air: inout AirRules) throws {
    let fields = value.isMap ? try value.fields(["number", "populations"]) : nil
    air.indexCases = try (fields?.required("number") ?? value).whole(in: 0...ScenarioLimits.people.upperBound)
    air.indexPopulations = try targets(fields?["populations"])
  }

  private func targets(_ value: YAMLValue?) throws -> [Policies.Target] {
    try (value?.items ?? []).map { Policies.Target(name: try $0.text, line: $0.node.line) }
  }
}
