import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonExchange
import CordonSupport

/// The command `cordon trace info`.
struct TraceInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the contents of a trace, its gaps and unreadable parts.",
    discussion: """
      Example:

        cordon trace info walk.gpx

      Exit status 1 when a part of the file could not be read.
      """)

  @Argument(help: "The trace, or - for standard input.")
  var path: String

  @OptionGroup(title: "Input") var reading: TraceReading
  @OptionGroup(title: "Input") var venue: TraceVenue

  @OptionGroup(title: "Output") var output: JSONOption

  func run() throws {
    let trace = try reading.read(path, floors: venue.floors())
    let points = trace.tracks.flatMap(\.points)
    let times = points.compactMap(\.time)
    let devices = Set(trace.tracks.map { $0.device ?? $0.name }).filter { !$0.isEmpty }
    let counts = (
      times: times.count, accuracies: points.count { $0.accuracy != nil }, floors: points.count { $0.floor != nil },
      mocked: points.count { $0.isMocked }
    )
    if output.json {
      try Output.print(
        [
          "schema": "cordon.trace-info/1", "file": .string(trace.name), "format": .string(trace.format.rawValue),
          "tracks": .array(
            trace.tracks.map {
              [
                "kind": .string($0.kind.rawValue), "name": .string($0.name), "device": JSONValue($0.device),
                "points": .count($0.points.count),
              ]
            }), "devices": .count(devices.count), "points": .count(points.count), "with_time": .count(counts.times),
          "with_accuracy": .count(counts.accuracies), "with_floor": .count(counts.floors),
          "mocked": .count(counts.mocked),
          "first": JSONValue(times.min()?.rfc3339), "last": JSONValue(times.max()?.rfc3339),
          "out_of_order": .count(trace.outOfOrder), "left_out": .count(trace.faultCount),
          "faults": .array(trace.faults.map { ["line": .count($0.line), "reason": .string($0.reason)] }),
          "remarks": .array(trace.remarks.map { .string($0) }),
        ])
    } else {
      var lines = [
        "\(trace.name): \(trace.format.rawValue), \(Counted.of(points.count, "point")) of \(Counted.of(trace.tracks.count, "track")), \(Counted.of(devices.count, "named device"))"
      ]
      lines.append(
        "  times \(counts.times), accuracies \(counts.accuracies), floors \(counts.floors), mocked \(counts.mocked)")
      if let first = times.min(), let last = times.max() { lines.append("  from \(first.rfc3339) to \(last.rfc3339)") }
      let late = trace.outOfOrder
      if late > 0 {
        lines.append("  \(Counted.of(late, "point")) after a later one of the device: not in the order of time")
      } else if times.count > 1 {
        lines.append("  in the order of time")
      }
      lines += trace.remarks.map { "  note: \($0)" }
      lines += trace.faults.map { "  line \($0.line): \($0.reason)" }
      if trace.faultCount > trace.faults.count {
        lines.append("  and \(trace.faultCount - trace.faults.count) more that were left out")
      }
      try Output.print(lines.joined(separator: "\n") + "\n")
    }
    if trace.faultCount > 0 { throw ExitCode(CommandError.Status.findings.rawValue) }
  }
}
