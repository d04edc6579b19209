import CordonCore
import CordonRun
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonSimulator

@Suite("Comparisons of several scenarios")
struct ComparisonTests {
  private func scenario(_ extra: String = "", people: Int = 12) throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 90m}
        populations: [{name: all, size: \(people), arrival: {window: [08:00, 08:20]}, visit: 50m, activities: [desk, work]}]
        activities:
          - {name: desk, kinds: [meeting-room], served: true, duration: 3m, repeat: 1}
          - {name: work, kinds: [office], duration: {min: 10m, max: 20m}}
        movement: {model: meso}
        groups: {Offices: [office]}
        \(extra)
        """)
  }

  private func study(_ extra: String = "", people: Int = 12) throws -> TruthStudy {
    try TruthStudy(
      venue: VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 2),
      scenario: scenario(extra, people: people))
  }

  @Test func everySideIsComparedWithTheFirst() throws {
    let sides = [("base", try study()), ("few", try study(people: 5)), ("same", try study())]
    let result = try ScenarioComparison(sides, replicas: 3, threads: 2)
    #expect(result.sides.map(\.name) == ["base", "few", "same"])
    #expect(Set(result.figures.map(\.part)) == [.building, .group, .space, .desk])
    for figure in result.figures {
      #expect(figure.means.count == 3 && figure.differences.map(\.side) == ["B", "C"], "\(figure.name)")
      #expect(figure.differences[1].difference == 0, "\(figure.name)")
    }
    let people = try #require(result.figures.first { $0.name == "people" })
    #expect(people.means == [12, 5, 12])
    #expect(
      people.sentence
        == "people who arrived: 12 in A, 5 in B, 12 in C. B has 7 fewer (58.3 %; 95 % confidence: 7 to 7 fewer). C is the same."
    )
    // The pair of two sides is the same whatever else is compared, but for the width of intervals.
    let pair = try ScenarioComparison(Array(sides.prefix(2)), replicas: 3, threads: 1)
    for (a, b) in zip(pair.figures, result.figures) where a.name == b.name {
      #expect(a.differences[0].difference == b.differences[0].difference)
      #expect(a.differences[0].margin <= b.differences[0].margin)
    }
    let desk = try #require(result.figures.first { $0.part == .desk && $0.name.hasPrefix("waited") })
    #expect((desk.means[0] ?? 0) > (desk.means[1] ?? 0), "fewer people wait at the desk")
    let waits = try #require(result.figures.first { $0.part == .desk && $0.name.hasPrefix("mean_wait_s") })
    #expect(waits.sentence.contains("shorter"), "\(waits.sentence)")
  }

  @Test func tablesAreChosenAndTheirFiguresCounted() throws {
    let sides = [("a", try study()), ("b", try study(people: 5))]
    let building = try ScenarioComparison(sides, parts: [.building], replicas: 2, threads: 2)
    #expect(Set(building.figures.map(\.part)) == [.building])
    let all = try ScenarioComparison(sides, replicas: 2, threads: 2)
    for part in FigurePart.allCases {
      let figures = all.figures(of: part)
      for difference in figures.flatMap(\.differences) { #expect(difference.comparisons == figures.count) }
    }
  }

  @Test func aSpaceThatNobodyUsesCountsAsEmpty() throws {
    let closed = try study("policies: {capacity: {office: 1}}")
    let result = try ScenarioComparison([("a", study()), ("b", closed)], replicas: 2, threads: 2)
    let minutes = result.figures.filter { $0.part == .space && $0.name.hasPrefix("minutes_over_capacity") }
    #expect(minutes.isEmpty, "a side without limits has no minutes above them")
    let table = FigureTable(
      [
        [.init(name: "mean_people[x]", title: "X", value: 4, part: .space)], [],
        [
          .init(name: "mean_people[x]", title: "X", value: 2, part: .space),
          .init(name: "mean_visit_s[x]", title: "X", value: 60, part: .space),
        ],
      ], spaces: ["x", "y"])
    func values(_ name: String, _ part: FigurePart = .space) -> [Double?]? {
      let figure = TruthStudy.Figure(name: name, title: "", value: 0, part: part)
      return table.values(of: figure) ?? table.missing(figure)
    }
    #expect(values("mean_people[x]") == [4, 0, 2])
    #expect(values("mean_visit_s[x]") == [nil, nil, 60])
    #expect(values("mean_people[y]") == [0, 0, 0])
    #expect(values("mean_people[z]") == nil, "a space of another map")
    #expect(values("waited[desk]", .desk) == [0, 0, 0])
    #expect(values("people", .building) == nil)
  }

  @Test func sentencesHaveWordsInPlaceOfSigns() {
    var random = RandomStream(seed: 4, replica: 0, stream: 1, entity: 0)
    for wording in [FigureWording.count, .amount, .duration] {
      for _ in 0..<400 {
        let (base, shift, spread) = (20 * random.nextUnit(), 12 * (random.nextUnit() - 0.5), 6 * random.nextUnit())
        let first = (0..<6).map { _ in base + random.nextUnit() }
        let second = first.map { $0 + shift + spread * (random.nextUnit() - 0.5) }
        var difference = PairedDifference(name: "x", title: "x", first: first, second: second, comparisons: 3)
        difference.wording = wording
        let words = difference.finding
        #expect(!words.contains("-"), "\(words)")
        let (more, less) = (words.contains(wording.more), words.contains(wording.less))
        if difference.isSignificant {
          #expect(more == (difference.difference > 0) && less == (difference.difference < 0), "\(words)")
          // The interval runs from the smaller amount to the larger one, and contains the difference.
          let numbers = words.split { !"0123456789.".contains($0) }.compactMap { Double($0) }
          #expect(numbers.suffix(2).first ?? 0 <= numbers.last ?? 0, "\(words)")
        } else {
          #expect(words.contains("chance"), "\(words)")
          #expect(more && less, "an interval around zero has both directions: \(words)")
        }
      }
    }
    let single = PairedDifference(name: "x", title: "x", first: [9], second: [5])
    #expect(single.finding == "B has 4 fewer (one repetition: this may be due to chance).")
  }

  @Test(arguments: [
    (1, 0.05, 12.706_205), (2, 0.05, 4.302_653), (9, 0.01, 3.249_836), (30, 0.05, 2.042_272), (19, 0.001, 3.883_406),
  ])
  func quantilesAreThoseOfTables(degrees: Int, tail: Double, quantile: Double) {
    let value = StudentDistribution.quantile(tail: tail, degrees: degrees)
    #expect(abs(value - quantile) < 2e-6)
    #expect(abs(StudentDistribution.tail(beyond: value, degrees: degrees) - tail) < 1e-9)
  }

  @Test func moreComparisonsHaveWiderIntervals() {
    func margin(_ comparisons: Int) -> Double {
      PairedDifference(name: "", title: "", first: [1, 2, 3, 4], second: [2, 4, 3, 6], comparisons: comparisons).margin
    }
    #expect(margin(1) < margin(2) && margin(2) < margin(100))
    // Four pairs, twenty comparisons: the quantile of 0.0025 with three degrees of freedom.
    #expect(abs(margin(20) / margin(1) - 9.464_9 / 3.182_446) < 0.02)
  }

  @Test func independentMeansAreComparedByWelch() {
    let a = SampleMean(mean: 10, standardError: 1, count: 11)
    let b = SampleMean(mean: 14, standardError: 1, count: 11)
    let difference = PairedDifference(name: "x", title: "x", first: a, second: b)
    #expect(abs(difference.margin - 2.085_963 * 2.0.squareRoot()) < 1e-5, "twenty degrees of freedom")
    #expect(difference.isSignificant && difference.difference == 4)
    let again = SampleMean(mean: 10, high: 10 + PairedDifference.student(degrees: 10), count: 11)
    #expect(abs(again.standardError - 1) < 1e-12)
    let single = SampleMean(mean: 10, standardError: 0, count: 1)
    #expect(PairedDifference(name: "x", title: "x", first: single, second: b).margin == .infinity)
  }
}
