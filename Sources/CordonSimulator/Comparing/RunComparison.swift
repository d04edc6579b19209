import CordonCore
package import CordonRun

extension ScenarioComparison {
  /// Compares finished runs by the true figures in their folders.
  ///
  /// Runs with replicas have intervals for spaces and groups. The replicas of different runs count as independent
  /// (Welch), also where they have the same random numbers, so that these intervals are wider than those of scenarios.
  /// - Parameters:
  ///   - runs: the name of each run, and the run; at least two.
  ///   - parts: the parts of the building to compare.
  /// - Throws: `RunFolderError` for damaged runs.
  package init(
    runs: [(name: String, run: RunReader)], parts: Set<FigurePart> = Set(FigurePart.allCases)
  ) throws {
    let sides = try runs.map { try RunFigures($0.run) }
    let figures = ScenarioComparison.compared(sides.map(\.table), parts: parts) { figure, side, first, second, count in
      guard let a = first.first ?? nil, let b = second.first ?? nil else { return nil }
      return PairedDifference(
        name: figure.name, title: figure.title, first: sides[0].mean(of: figure, value: a),
        second: sides[side].mean(of: figure, value: b), comparisons: count)
    }
    self.init(
      sides: runs.map { ComparisonSide(name: $0.name) }, figures: figures,
      replicas: sides.map(\.replicas).min() ?? 1)
  }
}

/// The figures of a finished run.
struct RunFigures {
  /// The figures; one replica stands for the run.
  let table: FigureTable
  /// The number of replicas behind the figures of spaces and groups, from 1.
  let replicas: Int
  /// The means over replicas, by part and name.
  private let means: [FigurePart: [String: SampleMean]]

  /// Reads the true figures of a run.
  init(_ run: RunReader) throws {
    let venue = try run.venue()
    var means: [FigurePart: [String: SampleMean]] = [:]
    var replicas = 1
    for row in try run.replicaFigures() {
      let place: (part: FigurePart, name: String)
      switch row.subject {
      case .floor: continue
      case .space(let number):
        guard venue.spaces.indices.contains(Int(number)) else { continue }
        place = (.space, venue.spaces[Int(number)].id.rawValue)
      case .group(let number):
        guard venue.groups.indices.contains(number) else { continue }
        place = (.group, venue.groups[number].name)
      }
      replicas = max(replicas, row.replicas)
      means[place.part, default: [:]]["\(Self.key(row.name))[\(place.name)]"] = SampleMean(
        mean: row.mean, high: row.high, count: row.replicas)
    }
    self.means = means
    self.replicas = replicas
    var figures = try Self.building(run)
    figures += try run.groups().filter { $0.presence.source == .truth && venue.groups.indices.contains($0.number) }
      .flatMap { TruthStudy.groupFigures($0, in: venue) }
    figures += TruthStudy.spaceFigures(try run.places(), in: venue)
    figures += TruthStudy.queueFigures(try run.queues(), in: venue)
    figures += try AirStudy.buildingFigures(of: run) + AirStudy.spaceFigures(run.airSpaces(), in: venue)
    // Means over replicas take the place of the values of the first one.
    for index in figures.indices {
      if let mean = means[figures[index].part]?[figures[index].name] { figures[index].value = mean.mean }
    }
    table = FigureTable([figures], spaces: Set(venue.spaces.map(\.id.rawValue)))
  }

  /// Returns the mean of a figure over the replicas; without replicas the value of the run.
  func mean(of figure: TruthStudy.Figure, value: Double) -> SampleMean {
    means[figure.part]?[figure.name] ?? SampleMean(mean: value, standardError: 0, count: 1)
  }

  private static func key(_ name: RunOutcome.ReplicaFigure.Name) -> String {
    switch name {
    case .mean: "mean_people"
    case .p95: "p95_people"
    case .peak: "peak_people"
    case .minutesOverCapacity, .minutesOverCapacityStaying, .minutesOverCapacityPassing, .visits, .meanVisit,
      .meanWait:
      name.rawValue
    }
  }

  /// The figures of the building.
  private static func building(_ run: RunReader) throws -> [TruthStudy.Figure] {
    let parameters = try run.parameters()
    let people = try run.summary().people
    let places = try run.places().filter { $0.source == .truth }
    let spaces = places.filter { $0.space != ObservedLocation.noSpace }
    let hours = parameters.duration.seconds / 3_600
    let pairs = try run.truePairTotals(threshold: parameters.warningThreshold.seconds)
    func figure(_ name: String, _ title: String, _ value: Double) -> TruthStudy.Figure {
      TruthStudy.Figure(name: name, title: title, value: value)
    }
    let distance = TruthStudy.plain(parameters.contactDistance)
    let minutes = TruthStudy.plain(parameters.warningThreshold.seconds / 60)
    return [
      figure("people", "people who arrived", Double(people)),
      figure(
        "person_hours", "hours of presence, total",
        places.filter { $0.space == ObservedLocation.noSpace }.reduce(0) { $0 + $1.mean } * hours),
      figure(
        "peak_in_a_space", "maximum number of people in one space", Double(spaces.map(\.peak).max() ?? 0)),
      figure("pairs", "pairs within \(distance) m of each other", Double(pairs.pairs)),
      figure("long_pairs", "pairs with \(minutes) minutes or more within \(distance) m", Double(pairs.longPairs)),
      figure(
        "contact_minutes_per_person", "minutes within \(distance) m of another person, per person",
        2 * pairs.seconds / 60 / Double(max(people, 1))),
    ]
  }
}
