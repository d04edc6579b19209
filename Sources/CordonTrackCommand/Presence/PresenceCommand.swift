import ArgumentParser
import Cordon
import CordonCommandLine
import CordonCore
import CordonPresence
import CordonSupport
import CordonTracking

/// The command `cordon-track presence`.
struct PresenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presence", abstract: "Show the recorded time of each day, the visits and the trips.",
    discussion: """
      Reads the positions that a sink of the kind file keeps. Days are those of UTC. cordon presence reads the same file, and \
      reports more.
      """)

  @OptionGroup var options: TrackerOptions
  @OptionGroup(title: "Output") var output: JSONOption

  func run() async throws {
    let recorded = try RecordedFixes(try options.load().sinks)
    var rules = PresenceRules()
    rules.movement = MovementRules()
    var stream = PresenceStream(rules)
    for fix in recorded.fixes { stream.add(fix) }
    let report = stream.finish()
    guard output.json else { return try Printer.write(lines: text(report, recorded)) }
    try Printer.print("track-presence", members(report, recorded))
  }

  private func text(_ report: PresenceReport, _ recorded: RecordedFixes) -> String {
    guard !report.days.isEmpty else { return "no position was recorded yet\n" }
    var text = ""
    for day in report.days where day.fixes > 0 {
      let minutes = (day.covered + 30_000) / 60_000
      text += "\(day.name)  \(minutes) min recorded  \(Int(day.distance.rounded())) m  \(day.fixes) positions\n"
    }
    for visit in report.visits {
      let minutes = (visit.dwell + 30_000) / 60_000
      text += "stay from \(Instant(milliseconds: visit.arrival).rfc3339), \(minutes) min\n"
    }
    for trip in report.trips {
      let minutes = (trip.duration + 30_000) / 60_000
      let start = Instant(milliseconds: trip.start).rfc3339
      text += "trip from \(start), \(minutes) min, \(Int(trip.distance.rounded())) m\n"
    }
    if recorded.unreadable > 0 { text += "\(recorded.unreadable) lines could not be read\n" }
    return text
  }

  private func members(_ report: PresenceReport, _ recorded: RecordedFixes) -> [JSONValue.Member] {
    let days = report.days.map { day -> JSONValue in
      [
        "date": .string(day.name), "fixes": .integer(Int64(day.fixes)),
        "covered_s": .number(Double(day.covered) / 1_000),
        "distance_m": .number((day.distance * 10).rounded() / 10),
      ]
    }
    func seconds(_ time: Int64?) -> JSONValue { time.map { .number(Double($0) / 1_000) } ?? .null }
    let visits = report.visits.map { visit -> JSONValue in
      [
        "arrival": .string(Instant(milliseconds: visit.arrival).rfc3339),
        "departure": .string(Instant(milliseconds: visit.departure).rfc3339),
        "arrival_uncertainty_s": seconds(visit.arrivalUncertainty),
        "departure_uncertainty_s": seconds(visit.departureUncertainty),
        "dwell_s": .number(Double(visit.dwell) / 1_000),
      ]
    }
    let trips = report.trips.map { trip -> JSONValue in
      [
        "start": .string(Instant(milliseconds: trip.start).rfc3339),
        "end": .string(Instant(milliseconds: trip.end).rfc3339), "start_known": .bool(trip.isStartKnown),
        "end_known": .bool(trip.isEndKnown), "duration_s": .number(Double(trip.duration) / 1_000),
        "distance_m": .number((trip.distance * 10).rounded() / 10), "fixes": .integer(Int64(trip.fixes)),
      ]
    }
    return [
      .init("days", .array(days)), .init("visits", .array(visits)), .init("trips", .array(trips)),
      .init("unreadable", .integer(Int64(recorded.unreadable))),
    ]
  }
}
