import CordonCore
import Foundation
import Testing

@testable import CordonRun
@testable import CordonSupport

@Suite("The summary of a run")
struct RunSummaryTests {
  private let accounting = RunAccounting(
    fixes: 1_000, refused: ["outside": 70, "inaccurate": 30], thinned: 100, stored: 800, acknowledged: 780, onPhone: 12,
    quarantined: 3, expired: ["age": 2, "count": 1], erased: 2)

  private func summary(_ agreement: RunAgreement?) -> RunSummary {
    RunSummary(
      people: 300, devices: 270, accounting: accounting,
      delivery: RunDelivery(requests: 12, failedRequests: 1, bytesSent: 96_000, rowsReceived: 805, duplicateRows: 25),
      trueContacts: 12_345, observedContacts: 11_111, agreement: agreement)
  }

  @Test func theJSONObjectHasItsKeysInOrder() throws {
    let agreement = RunAgreement(
      trueSeconds: 200, observedSeconds: 100, commonSeconds: 80, truePairs: 0, observedPairs: 4, commonPairs: 0)
    let text = summary(agreement).json(
      cpuSeconds: 1.234_56, peakMebibytes: 99.96, outputs: [RunOutput(role: "report", path: "out/report.html")]
    ).text()
    #expect(
      text == """
        {"schema":"cordon.simulate/1","people":300,"planned_people":null,"never_came":null,"devices":270,"fixes":1000,"refused":{"outside":70,"inaccurate":30},\
        "thinned":100,"stored":800,"acknowledged":780,"on_phone":12,"quarantined":3,"expired":3,"erased":2,\
        "requests":12,"failed_requests":1,"bytes_sent":96000,"rows_received":805,"duplicate_rows":25,\
        "true_contacts":12345,"observed_contacts":11111,"precision_seconds":0.8,"recall_seconds":0.4,\
        "precision_pairs_15min":0,"recall_pairs_15min":null,"cpu_s":1.235,"peak_mib":100,\
        "outputs":{"report":"out/report.html"}}
        """)
  }

  @Test func withoutTruthTheSharesAreNull() {
    let json = summary(nil).json(cpuSeconds: 0, peakMebibytes: 0, outputs: [], more: [.init("agent_steps", 5)])
    #expect(json["precision_seconds"] == .null)
    #expect(json["recall_pairs_15min"] == .null)
    #expect(json["agent_steps"] == 5)
  }

  @Test func bothSumsMustAgree() {
    #expect(accounting.isBalanced)
    var lost = accounting
    lost.acknowledged -= 1
    #expect(!lost.isBalanced)
    var invented = accounting
    invented.fixes += 1
    #expect(!invented.isBalanced)
  }

  @Test(arguments: [
    (300, 290, 250, "Of every 100 people who should be warned, 83 would be; 13 would be warned needlessly."),
    (300, 250, 250, "Of every 100 people who should be warned, 83 would be; nobody would be warned needlessly."),
    (5_000, 5_001, 5_000, "Of every 100 people who should be warned, 100 would be; 1 would be warned needlessly."),
    (5_000, 4_999, 4_999, "Of every 100 people who should be warned, 99 would be; nobody would be warned needlessly."),
    (5_000, 1, 1, "Of every 100 people who should be warned, 1 would be; nobody would be warned needlessly."),
    (3, 0, 0, "Of every 100 people who should be warned, 0 would be; nobody would be warned needlessly."),
    (
      0, 0, 0,
      "Nobody spent 15 minutes or more within 2 m of somebody else, so there was nobody to warn, and nobody would be warned."
    ),
    (
      0, 1, 0,
      "Nobody spent 15 minutes or more within 2 m of somebody else, so there was nobody to warn; 1 pair would be warned needlessly."
    ),
  ])
  func sentencesDoNotRoundToAllOrNone(truth: Int, observed: Int, common: Int, text: String) {
    let agreement = RunAgreement(
      trueSeconds: 1, observedSeconds: 1, commonSeconds: 1, truePairs: truth, observedPairs: observed,
      commonPairs: common)
    #expect(WarningSentence(agreement, distance: 2, minutes: 15).text == text)
  }

  @Test func theTerminalGetsAlignedColumns() {
    let agreement = RunAgreement(
      trueSeconds: 200, observedSeconds: 100, commonSeconds: 80, truePairs: 300, observedPairs: 290, commonPairs: 250)
    let parameters = RunParameters(
      command: [], version: "1", seed: 7, start: .epoch, duration: .hours(2),
      frameOrigin: Coordinate(longitude: 0, latitude: 0))
    #expect(
      summary(agreement).table(parameters: parameters, folder: "out/monday") == """
        people                300  270 with a device, 2h, seed 7
        fixes               1 000
          refused             100  outside 70, inaccurate 30
          thinned             100
          stored              800
            acknowledged      780
            on phone           12
            quarantined         3
            expired             3  age 2, count 1
            erased              2
        uploads                12  805 rows received, 25 of these twice, 96 kB, 1 failed
        true contacts      12 345  within 2 m
        observed contacts  11 111  within 2 m
        seconds                    precision 80.0 %, recall 40.0 %
        pairs of 15 min            precision 86.2 %, recall 83.3 %

        Of every 100 people who should be warned, 83 would be; 13 would be warned needlessly.

        Results in out/monday

        """)
  }

  @Test(
    arguments: [
      (1.0, "100 %"), (0.999_999, "99.9 %"), (0.000_001, "0.1 %"), (0, "0 %"), (0.5, "50.0 %"), (0.123_4, "12.3 %"),
      (nil, "-"),
    ] as [(Double?, String)])
  func sharesAreNotRoundedToAllOrNone(share: Double?, text: String) {
    #expect(Quantity.percent(share) == text)
  }

  @Test(arguments: [
    (0.0, "0 s"), (59.4, "59 s"), (60, "1 min"), (152, "2 min 32 s"), (600, "10 min"), (3_599, "1 h"),
    (4_800, "1 h 20 min"), (376_810_000, "104 669 h"), (.nan, "-"), (.infinity, "-"),
  ])
  func durationsAreReadable(seconds: Double, text: String) {
    #expect(Quantity.duration(seconds) == text)
  }

  @Test func stepsIntoForbiddenPlacesAreReported() {
    var outcome = RunOutcome()
    #expect(outcome.invalidSteps == nil)
    outcome.figures = [.init("outside_steps", nil), .init("wall_crossings", 0), .init("overlaps", 0)]
    #expect(outcome.invalidSteps == nil)
    outcome.figures = [.init("outside_steps", 2), .init("wall_crossings", 0), .init("overlaps", 7)]
    #expect(
      outcome.invalidSteps
        == "steps that ended where nobody may be: 2 outside what can be walked on, 7 in somebody else")
  }
}
