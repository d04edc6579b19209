import CordonAir
import CordonCore
import CordonExchange
import CordonSupport

/// The results of `cordon air` as rows, object and lines.
struct AirReport {
  static let columns: [TableColumn] = [
    .text("space"), .time("bin_start"), .number("people"), .number("infectious"), .number("co2_ppm", unit: "ppm"),
    .number("co2_at_end_ppm", unit: "ppm"), .number("quanta_per_m3"), .number("quanta_at_end_per_m3"),
  ]
  static let peopleColumns: [TableColumn] = [
    .text("person"), .count("infectious"), .number("time_s", unit: "s"), .number("mean_co2_ppm", unit: "ppm"),
    .number("quanta"), .number("risk"),
  ]

  private let model: AirModel
  private let result: AirResult
  private let people: [PersonAir]
  private let names: [String]
  private let summary: AirSummary
  private let engineCPU: Double

  init(model: AirModel, result: AirResult, stays: [AirStay], table: OccupancyTable, engineCPU: Double) {
    self.engineCPU = engineCPU
    self.model = model
    self.result = result
    names = table.people
    // Counts have no people; their risks are those of spaces.
    people = PersonAir.list(result, stays: stays, infectious: table.isInfectious)
    summary = AirSummary(result, people: people)
  }

  /// The air of each space and bin, in the order of the table of spaces.
  var rows: [[JSONValue.Member]] {
    model.spaces.enumerated().flatMap { index, space in
      result[index].enumerated().map { number, bin in
        [
          .init("space", .string(space.id)), .init("bin_start", .time(milliseconds: result.grid.start(of: number))),
          .init("people", .rounded(bin.people, 3)), .init("infectious", .rounded(bin.infectious, 3)),
          .init("co2_ppm", .rounded(bin.co2, 2)), .init("co2_at_end_ppm", .rounded(bin.co2AtEnd, 2)),
          .init("quanta_per_m3", .rounded(bin.quanta, 9)), .init("quanta_at_end_per_m3", .rounded(bin.quantaAtEnd, 9)),
        ]
      }
    }
  }

  /// The air of each person, in the order of the table of occupancy.
  var peopleRows: [[JSONValue.Member]] {
    zip(names, people).map { name, person in
      [
        .init("person", .string(name)), .init("infectious", .integer(person.isInfectious ? 1 : 0)),
        .init("time_s", .rounded(person.hours * 3_600, 3)), .init("mean_co2_ppm", .rounded(person.meanCO2, 2)),
        .init("quanta", .rounded(person.quanta, 9)), .init("risk", .rounded(person.risk, 9)),
      ]
    }
  }

  var json: JSONValue {
    [
      "schema": "cordon.air/1", "update": .string(model.rule.rawValue),
      "spaces": .array(model.spaces.indices.map(space)), "people": .count(people.count),
      "susceptible": .count(summary.susceptible),
      "mean_co2_ppm": names.isEmpty ? .null : .rounded(summary.meanCO2, 2),
      "peak_co2_ppm": .rounded(summary.peakCO2, 2),
      "mean_risk": names.isEmpty ? .null : .rounded(summary.meanRisk, 9),
      "maximum_risk": names.isEmpty ? .null : .rounded(summary.maximumRisk, 9),
      "expected_infections": names.isEmpty ? .null : .rounded(summary.expectedInfections, 9),
      "engine_cpu_s": .rounded(engineCPU, 6),
    ]
  }

  private func space(_ index: Int) -> JSONValue {
    let bins = result[index]
    let occupied = bins.filter { $0.people > 0 }
    let people = occupied.reduce(0) { $0 + $1.people }
    let mean = people > 0 ? occupied.reduce(0) { $0 + $1.co2 * $1.people } / people : nil
    return [
      "space": .string(model.spaces[index].id), "volume_m3": .rounded(model.spaces[index].volume, 3),
      "air_changes_per_h": .number(model.spaces[index].airChanges),
      "peak_people": .rounded(bins.map(\.people).max() ?? 0, 3), "peak_co2_ppm": .rounded(result.peakCO2[index], 2),
      "mean_co2_ppm": mean.map { .rounded($0, 2) } ?? .null,
      "peak_quanta_per_m3": .rounded(bins.map(\.quantaAtEnd).max() ?? 0, 9),
    ]
  }

  var text: String {
    var lines = model.spaces.indices.map { index in
      "\(model.spaces[index].id)  peak \(Int(result.peakCO2[index].rounded())) ppm"
    }
    if !names.isEmpty {
      func percent(_ share: Double) -> String { "\((share * 10_000).rounded() / 100) %" }
      lines.append(
        "\(summary.susceptible) people at risk: mean \(percent(summary.meanRisk)), maximum \(percent(summary.maximumRisk)); "
          + "expected infections \((summary.expectedInfections * 1_000).rounded() / 1_000)")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension JSONValue {
  /// A number with a limited number of digits after the point.
  static func rounded(_ value: Double, _ digits: Int) -> JSONValue {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return .number((value * scale).rounded() / scale)
  }
}
