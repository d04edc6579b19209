import CordonAir
import CordonContacts
import CordonCore
import CordonCrowd
import CordonRun

/// The air of one replica: concentrations, doses, risks and exposures.
struct AirStudy {
  /// The results.
  let air: RunAir
  /// The figures of the whole run.
  let summary: AirSummary

  /// Computes the air.
  /// - Parameters:
  ///   - setup: the resolved rules.
  ///   - truth: the movement.
  ///   - presence: the occupancy of the truth in the places of the run.
  ///   - contacts: the true contacts within the distance of the short range, with walls.
  ///   - plan: the plan of the people.
  ///   - end: the simulated time that was reached.
  init(
    setup: AirSetup, truth: Truth, presence: Occupancy, contacts: [Contact], plan: CrowdPlan, places: RunPlaces,
    end: Instant, seed: UInt64, replica: UInt32
  ) {
    let people = AirPeople(
      setup.rules, plan: plan, cameIn: truth.people.map { person in person.visits.contains { $0.arrival < end } },
      seed: seed, replica: replica)
    let postures = truth.people.map { AirPostures($0) }
    var (stays, loads) = ([AirStay](), [AirLoad]())
    var numbers: [AirLoad: Int] = [:]
    for stay in presence.spaceStays {
      let person = Int(stay.device)
      postures[person].forEach(from: stay.start, to: stay.end) { start, end, posture in
        let load = setup.emissions.load(
          posture, in: stay.space, isInfectious: people.isInfectious[person], wearsMask: people.wearsMask[person])
        let number = numbers[load] ?? loads.count
        if number == loads.count {
          numbers[load] = number
          loads.append(load)
        }
        stays.append(AirStay(person: stay.device, space: stay.space, load: number, start: start, end: end))
      }
    }
    let result = setup.model.run(
      stays: stays, loads: loads, start: truth.start.milliseconds, end: end.milliseconds,
      bin: setup.rules.bin.milliseconds)
    let nearby = AirNearby(setup: setup, truth: truth, people: people, postures: postures, places: places)
    var list = PersonAir.list(result, stays: stays, infectious: people.isSusceptible.map { !$0 })
    for (person, quanta) in nearby.quanta(contacts).enumerated() { list[person].nearbyQuanta = quanta }
    let exposures = nearby.exposures(contacts)
    summary = AirSummary(result, people: list)
    air = RunAir(
      bin: setup.rules.bin, outdoorCO2: setup.model.outdoorCO2, shortRange: setup.rules.shortRange,
      spaces: setup.model.spaces.indices.map { Self.space($0, setup.model, result) },
      bins: setup.model.spaces.indices.flatMap { Self.bins($0, setup.model, result) },
      people: list.indices.map { Self.person($0, list[$0], exposures[$0], people) })
  }

  private static func space(_ number: Int, _ model: AirModel, _ result: AirResult) -> RunAir.Space {
    let bins = result[number]
    let people = bins.reduce(0) { $0 + $1.people }
    return RunAir.Space(
      volume: model.spaces[number].volume, airChanges: model.spaces[number].airChanges,
      filtration: model.spaces[number].filtration,
      meanCO2: people > 0 ? bins.reduce(0) { $0 + $1.co2 * $1.people } / people : nil,
      peakCO2: result.peakCO2[number],
      meanQuanta: bins.isEmpty ? 0 : bins.reduce(0) { $0 + $1.quanta } / Double(bins.count),
      peakQuanta: bins.map(\.quantaAtEnd).max() ?? 0)
  }

  /// Returns the bins in which the air of a space differs from that of the outdoors.
  private static func bins(_ number: Int, _ model: AirModel, _ result: AirResult) -> [RunAir.Bin] {
    result[number].enumerated().compactMap { index, bin in
      guard bin.people > 0 || bin.co2 > model.outdoorCO2 + 0.05 || bin.quanta > 1e-9 else { return nil }
      return RunAir.Bin(
        space: Int32(number), start: result.grid.start(of: index), people: bin.people, infectious: bin.infectious,
        co2: bin.co2, co2AtEnd: bin.co2AtEnd, quanta: bin.quanta, quantaAtEnd: bin.quantaAtEnd)
    }
  }

  private static func person(
    _ number: Int, _ air: PersonAir, _ exposure: CumulativeExposure, _ people: AirPeople
  ) -> RunAir.Person {
    RunAir.Person(
      health: people.isInfectious[number] ? .infectious : people.isSusceptible[number] ? .susceptible : .immune,
      wearsMask: people.wearsMask[number], seconds: air.hours * 3_600, meanCO2: air.hours > 0 ? air.meanCO2 : nil,
      quanta: air.quanta, nearbyQuanta: air.nearbyQuanta, longRangeRisk: air.longRangeRisk,
      shortRangeRisk: air.shortRangeRisk, risk: air.risk, exposedSeconds: exposure.exposedSeconds,
      exposedPersonSeconds: exposure.personSeconds, maximumOthers: exposure.maximumOthers)
  }

  /// The figures of a run folder and of comparisons, with a title for readers.
  var figures: [(name: String, title: String, value: Double)] {
    let above = air.bins.reduce(0.0) { $1.co2 > 1_000 ? $0 + $1.people : $0 } * air.bin.seconds / 3_600
    let exposed = air.people.filter { $0.seconds > 0 }
    let minutes = exposed.reduce(0) { $0 + $1.exposedPersonSeconds } / 60 / Double(max(exposed.count, 1))
    let values = [
      summary.meanCO2, summary.peakCO2, above, summary.expectedInfections, summary.expectedLongRange,
      summary.meanRisk * 100, minutes,
    ]
    return zip(Self.titles, values).map { ($0.name, $0.title, $1) }
  }

  /// The names of the figures, with their titles for readers.
  static let titles = [
    (name: "air_mean_co2_ppm", title: "mean carbon dioxide that people breathed, ppm"),
    (name: "air_peak_co2_ppm", title: "maximum carbon dioxide of a space, ppm"),
    (name: "air_person_hours_above_1000_ppm", title: "hours that people spent above 1000 ppm, total"),
    (name: "air_expected_infections", title: "expected number of infections"),
    (name: "air_expected_infections_long_range", title: "expected number of infections by the mixed air alone"),
    (name: "air_mean_risk_percent", title: "mean risk of infection of a person who can be infected, %"),
    (
      name: "air_exposed_person_minutes",
      title: "minutes near others in line of sight, summed over the others, per person"
    ),
  ]
}
