import CordonCore
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonSimulator

@Suite("Sweeps")
struct SweepTests {
  private func scenario(_ extra: String = "", people: Int = 14) throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 1h}
        populations: [{name: all, size: \(people), arrival: {window: [08:00, 08:10]}, visit: 40m}]
        movement: {model: meso}
        \(extra)
        """)
  }

  private func sweep(
    _ kinds: PositioningSweep.Kinds, repetitions: Int = 1, prices: SweepPrice? = nil, threads: Int = 2
  ) throws -> PositioningSweep {
    try PositioningSweep(
      venue: VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 2), scenario: scenario(), kinds: kinds,
      repetitions: repetitions, prices: prices, threads: threads)
  }

  @Test func ownModelsAreReadLikeYAML() throws {
    let own = try PhoneKind(parsing: " {name: lab, error: 0.3m, correlation: 30s, offset: 0.1m, anchor_area: 40}")
    let model = try #require(own.model)
    #expect(own.name == "lab" && own.anchorArea == 40 && model.correlationTime == 30)
    #expect(abs(model.accuracy - 0.3) < 1e-9, "the radius of 68 % is the error")
    #expect(abs(model.biasSigma * 1.5096 - 0.1) < 1e-9)
    #expect(try PhoneKind(parsing: "uwb").preset == .uwb)
    #expect(PhoneKind.split("rtt,{error: 1, outliers: 0.1},ble") == ["rtt", "{error: 1, outliers: 0.1}", "ble"])
    for (text, message) in [
      ("{correlation: 3s}", "needs 'error'"), ("{error: -1m}", "must be a distance from"),
      ("{eror: 1}", "did you mean 'error'"),
      ("{error: 1, offset: 2}", "is larger than the error"), ("{error: 1", "invalid YAML"),
    ] {
      let fault = #expect(throws: PhoneKind.Fault.self) { try PhoneKind(parsing: text) }
      #expect(fault?.message.contains(message) == true, "\(text): \(String(describing: fault))")
    }
    let error = #expect(throws: ScenarioError.self) { try PhoneKind(parsing: "uwd") }
    #expect(error?.message.contains("did you mean 'uwb'") == true)
  }

  @Test func anOwnModelWithoutErrorIsAPerfectPhone() throws {
    let none = try PhoneKind(parsing: "{name: none, error: 0, correlation: 1s}")
    let rows = try sweep(
      .init(phones: [PhoneKind(.perfect), none, try PhoneKind(parsing: "{error: 40m}")], intervals: [.seconds(10)])
    ).rows
    // The accuracies that phones report differ, and so may which fixes are stored.
    #expect(abs((rows[0].recallSeconds.mean ?? 0) - (rows[1].recallSeconds.mean ?? 9)) < 0.05)
    #expect((rows[2].recallSeconds.mean ?? 0) < (rows[0].recallSeconds.mean ?? 0) - 0.2)
  }

  @Test func repetitionsGiveIntervals() throws {
    let kinds = PositioningSweep.Kinds(phones: [PhoneKind(.uwb)], intervals: [.seconds(15)])
    let one = try sweep(kinds)
    let three = try sweep(kinds, repetitions: 3)
    #expect(one.repetitions == 1 && three.repetitions == 3 && !three.isPartial)
    #expect(one.rows[0].recallSeconds.margin == .infinity && three.rows[0].recallSeconds.margin.isFinite)
    #expect(three.rows[0].recallSeconds.mean != one.rows[0].recallSeconds.mean, "the repetitions differ")
    let again = try sweep(kinds, repetitions: 3, threads: 1)
    #expect(again.rows[0].recallSeconds == three.rows[0].recallSeconds)
  }

  @Test func warningsLaterAreFewer() throws {
    let kinds = PositioningSweep.Kinds(
      phones: [PhoneKind(.rtt)], intervals: [.seconds(5)], warnings: [.minutes(5), .minutes(15), .minutes(25)])
    let rows = try sweep(kinds).rows
    #expect(rows.map(\.warnAfter) == kinds.warnings)
    let recall = rows.map { $0.recallPairs.mean ?? 0 }
    #expect(recall[0] >= recall[1] && recall[1] >= recall[2] && recall[0] > recall[2], "\(recall)")
    #expect((rows[0].precisionPairs.mean ?? 0) <= (rows[1].precisionPairs.mean ?? 1))
    // Without times of warning, the scenario's own is used, as in the figures of a run.
    let plain = try sweep(.init(phones: [PhoneKind(.rtt)], intervals: [.seconds(5)])).rows
    #expect(plain[0].recallPairs.mean == rows[1].recallPairs.mean && plain[0].warnAfter == .minutes(15))
  }

  @Test func theCheapestKindThatReachesTheTargetIsRecommended() throws {
    var prices = SweepPrice()
    (prices.device, prices.anchor) = (10, 5)
    prices.devices = ["uwb": 30]
    prices.anchors = ["uwb": 100]
    let kinds = PositioningSweep.Kinds(
      phones: [PhoneKind(.uwb), PhoneKind(.perfect), PhoneKind(.gps)], intervals: [.seconds(5)])
    let result = try sweep(kinds, prices: prices)
    let (uwb, perfect, gps) = (result.rows[0], result.rows[1], result.rows[2])
    #expect(uwb.anchors == Int((result.usableArea / 50).rounded(.up)) && uwb.anchors > 5 && perfect.anchors == 0)
    #expect(uwb.price == 14 * 30 + Double(uwb.anchors) * 100)
    #expect(perfect.price == 140 && gps.price == 140)
    var target = SweepTarget()
    #expect(target.set("recall=0.7, precision=0.7") == nil && target.recall == 0.7)
    #expect(target.set("recal=1") == "recal=1" && target.set("recall=2") == "recall=2")
    #expect(result.leastDemanding(target)?.kind.name == "perfect", "the cheaper of those that reach it")
    target.recall = 0
    target.precision = 0
    #expect(result.leastDemanding(target)?.kind.name == "gps", "of equal prices the largest error")
    #expect(try sweep(kinds).rows.allSatisfy { $0.price == nil })
  }

  @Test func pricesAreReadByName() {
    #expect(SweepPrice.read("20")?.common == 20)
    #expect(SweepPrice.read("20, uwb=35.5")?.named == ["uwb": 35.5])
    for text in ["", "x", "uwb=", "-1", "ble=x"] { #expect(SweepPrice.read(text) == nil, "\(text)") }
  }
}
