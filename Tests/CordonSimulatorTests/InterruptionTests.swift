import CordonContacts
import CordonCore
import CordonMonitoring
import CordonRun
import CordonVenues
import Foundation
import Testing

@testable import CordonSimulator

@Suite("Interrupted runs")
struct InterruptionTests {
  private func run(_ answer: @escaping @Sendable (Int) -> Bool) throws -> (contents: RunContents, asked: Int) {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 700, seed: 2)
    let settings = SimulationSettings(people: 25, duration: .minutes(50), seed: 5)
    let interrupter = Interrupter(answer)
    let contents = try VenueSimulation(venue: venue, settings: settings).run(
      store: .memory(MemoryStore()), isInterrupted: { interrupter.ask() })
    return (contents, interrupter.asked)
  }

  /// The last moment that a run says something about.
  private func last(_ contents: RunContents) -> (truth: Int64, observed: Int64) {
    (contents.truth.map(\.end).max() ?? 0, contents.locations.map { max($0.time, $0.stillUntil) }.max() ?? 0)
  }

  private func check(_ contents: RunContents) throws {
    let whole = contents.parameters.start + contents.parameters.duration
    #expect(contents.isPartial)
    #expect(!contents.truth.isEmpty && !contents.locations.isEmpty && !contents.occupancy.isEmpty)
    let end = last(contents)
    #expect(end.truth < whole.milliseconds)
    // Truth and what was observed are told of the same time.
    #expect(end.observed <= end.truth + 1_000)
    #expect(contents.contacts.allSatisfy { $0.contact.end <= (end.truth + 1_000) * 1_000 })
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("interrupted-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = try RunFolder.prepare(at: folder.path, replacing: false)
    _ = try output.write(contents) { RunTimings(phases: [], cpuSeconds: 0, peakMebibytes: 0, threads: 1) }
    let manifest = try String(contentsOf: folder.appendingPathComponent("manifest.json"), encoding: .utf8)
    #expect(manifest.contains("\"partial\": true"))
    let report = try String(contentsOf: folder.appendingPathComponent("report.html"), encoding: .utf8)
    #expect(report.localizedCaseInsensitiveContains("interrupted"))
  }

  @Test func phonesThatAreStoppedLeaveAValidPartialRun() throws {
    let (whole, asked) = try run { _ in false }
    #expect(!whole.isPartial)
    // The last questions are those of phones, one for each half minute.
    let partial = try run { $0 > asked - 40 }.contents
    try check(partial)
    #expect(partial.truth.count < whole.truth.count)
    #expect(last(partial).truth <= last(whole).truth - 19 * 60_000)
  }

  @Test func peopleWhoAreStoppedAreStillLookedAtByTheirPhones() throws {
    let partial = try run { $0 == 600 }.contents
    try check(partial)
    let reached = last(partial).truth - partial.parameters.start.milliseconds
    #expect(reached >= 600_000, "\(reached)")
  }
}
