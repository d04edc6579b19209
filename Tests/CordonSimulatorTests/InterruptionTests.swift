import CordonContacts
import CordonCore
import CordonMonitoring
import CordonRun
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonSimulator

@Suite("Interrupted runs")
struct InterruptionTests {
  private func run(
    _ movement: MovementChoice = .csm, threads: Int = 1, _ answer: @escaping @Sendable (Int) -> Bool
  ) throws -> (contents: RunContents, asked: Int) {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 2)
    var scenario = Scenario(visitors: 25, duration: .minutes(50), seed: 5)
    scenario.movement.model = movement
    let interrupter = Interrupter(answer)
    let contents = try VenueSimulation(venue: venue, scenario: scenario).run(
      store: .memory(MemoryStore()), threads: threads, isInterrupted: { interrupter.ask() })
    return (contents, interrupter.asked)
  }

  /// The last time in the rows of a run.
  private func last(_ contents: RunContents) -> (truth: Int64, observed: Int64) {
    (contents.truth.map(\.end).max() ?? 0, contents.locations.map { max($0.time, $0.stillUntil) }.max() ?? 0)
  }

  private func check(_ contents: RunContents) throws {
    let whole = contents.parameters.start + contents.parameters.duration
    #expect(contents.isPartial)
    #expect(
      contents.notes.contains {
        $0.hasPrefix("interrupted: ") && $0.hasSuffix(" of \(contents.parameters.duration) were simulated")
      })
    #expect(!contents.truth.isEmpty && !contents.locations.isEmpty && !contents.occupancy.isEmpty)
    let end = last(contents)
    #expect(end.truth < whole.milliseconds)
    // Truth and observation end at the same time.
    #expect(end.observed <= end.truth + 1_000)
    #expect(contents.contacts.allSatisfy { $0.contact.end <= (end.truth + 1_000) * 1_000 })
    let scratch = try TemporaryFolder()
    let folder = scratch.url.appendingPathComponent("interrupted")
    let output = try RunFolder.prepare(at: folder.path, replacing: false)
    _ = try output.write(contents) { RunTimings(phases: [], cpuSeconds: 0, peakMebibytes: 0, threads: 1) }
    let manifest = try String(contentsOf: folder.appendingPathComponent("manifest.json"), encoding: .utf8)
    #expect(manifest.contains("\"partial\": true"))
    let report = try String(contentsOf: folder.appendingPathComponent("report.html"), encoding: .utf8)
    #expect(report.localizedCaseInsensitiveContains("interrupted"))
  }

  @Test func stoppingThePhonesLeavesAValidPartialRun() throws {
    let (whole, asked) = try run { _ in false }
    #expect(!whole.isPartial && !whole.notes.contains { $0.hasPrefix("interrupted") })
    // The last checks are those of the phones, one for each half minute.
    let partial = try run { $0 > asked - 40 }.contents
    try check(partial)
    #expect(partial.truth.count < whole.truth.count)
    #expect(last(partial).truth <= last(whole).truth - 19 * 60_000)
  }

  @Test func phonesStillObserveAnInterruptedWalk() throws {
    let partial = try run { $0 == 600 }.contents
    try check(partial)
    let reached = last(partial).truth - partial.parameters.start.milliseconds
    #expect(reached >= 600_000, "\(reached)")
  }

  /// Models without bodies move one person after the other: the first people were moved to the end and are cut.
  @Test(arguments: [MovementChoice.way, .meso], [1, 2])
  func modelsWithoutBodiesEndAllTracksAtOneTime(_ movement: MovementChoice, threads: Int) throws {
    let whole = try run(movement, threads: threads) { _ in false }.contents
    let partial = try run(movement, threads: threads) { $0 == 21 }.contents
    try check(partial)
    // 20 of 25 had been moved: four fifths of 50 minutes.
    let limit = partial.parameters.start.milliseconds + 40 * 60_000
    #expect(last(partial).truth <= limit)
    #expect(partial.truth.count > 100)
    // The kept part equals the beginning of a complete run.
    let begun = whole.truth.filter { $0.start < limit }
    try #require(partial.truth.count == begun.count)
    let differing = zip(partial.truth, begun).first {
      $0.device != $1.device || $0.start != $1.start || $0.end != min($1.end, limit)
    }
    #expect(differing == nil)
  }
}
