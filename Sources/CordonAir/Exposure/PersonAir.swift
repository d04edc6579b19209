/// The air that one person breathed over the whole time.
package struct PersonAir: Hashable, Sendable {
  /// The number of the person.
  package var person: Int32
  /// Whether the person is infectious: without a risk of infection.
  package var isInfectious: Bool
  /// The time in spaces, in hours.
  package var hours = 0.0
  /// The mean carbon dioxide over that time, in parts per million; 0 without any.
  package var meanCO2 = 0.0
  /// The quanta inhaled from the mixed air of spaces.
  package var quanta = 0.0
  /// The quanta inhaled from the breath of infectious people nearby, above those of the mixed air.
  package var nearbyQuanta = 0.0

  /// Creates the air of a person.
  package init(person: Int32, isInfectious: Bool) {
    self.person = person
    self.isInfectious = isInfectious
  }

  /// The probability of infection by the mixed air (Wells and Riley): `1 - exp(-quanta)`; 0 for an infectious person.
  package var longRangeRisk: Double { isInfectious ? 0 : DecayFunctions.atLeastOne(quanta) }
  /// The probability of infection by people nearby.
  package var shortRangeRisk: Double { isInfectious ? 0 : DecayFunctions.atLeastOne(nearbyQuanta) }
  /// The probability of infection by either.
  package var risk: Double { isInfectious ? 0 : DecayFunctions.atLeastOne(quanta + nearbyQuanta) }

  /// Sums the doses of people over their stays.
  /// - Parameters:
  ///   - result: the result of these stays.
  ///   - stays: the stays.
  ///   - infectious: whether each person is infectious; a person is the index.
  /// - Returns: all people by number, those without stays included.
  package static func list(_ result: AirResult, stays: [AirStay], infectious: [Bool]) -> [PersonAir] {
    var people = infectious.enumerated().map { PersonAir(person: Int32($0.offset), isInfectious: $0.element) }
    for (stay, dose) in zip(stays, result.doses) where people.indices.contains(Int(stay.person)) {
      people[Int(stay.person)].hours += dose.hours
      people[Int(stay.person)].meanCO2 += dose.co2Hours
      people[Int(stay.person)].quanta += dose.quanta
    }
    for person in people.indices where people[person].hours > 0 { people[person].meanCO2 /= people[person].hours }
    return people
  }
}

/// The figures of a whole run, for summaries and comparisons.
package struct AirSummary: Hashable, Sendable {
  /// The mean over people of the mean carbon dioxide that they breathed, weighted by their time.
  package var meanCO2: Double
  /// The maximum carbon dioxide of all spaces.
  package var peakCO2: Double
  /// The number of people who can be infected.
  package var susceptible: Int
  /// The mean risk of the people who can be infected; 0 without any.
  package var meanRisk: Double
  /// The maximum risk.
  package var maximumRisk: Double
  /// The expected number of infections: the sum of the risks.
  package var expectedInfections: Double
  /// The expected number of infections by the mixed air alone.
  package var expectedLongRange: Double

  /// Summarizes a result. People without time in spaces are left out.
  package init(_ result: AirResult, people: [PersonAir]) {
    let present = people.filter { $0.hours > 0 }
    let hours = present.reduce(0) { $0 + $1.hours }
    meanCO2 = hours > 0 ? present.reduce(0) { $0 + $1.meanCO2 * $1.hours } / hours : 0
    peakCO2 = result.peakCO2.max() ?? 0
    let risks = present.filter { !$0.isInfectious }.map(\.risk)
    susceptible = risks.count
    expectedInfections = risks.reduce(0, +)
    expectedLongRange = present.reduce(0) { $0 + $1.longRangeRisk }
    meanRisk = risks.isEmpty ? 0 : expectedInfections / Double(risks.count)
    maximumRisk = risks.max() ?? 0
  }
}
