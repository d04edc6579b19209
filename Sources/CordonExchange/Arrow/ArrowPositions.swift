internal import CordonCore

/// A writer of the positions of a trace in Arrow IPC, with the columns that `cordon contacts` reads.
package enum ArrowPositions {
  /// The columns: places are degrees of WGS 84, accuracies the radius at 68 %.
  package static let columns: [TableColumn] = [
    .text("device"), .time("time"), .number("longitude", unit: "degree"), .number("latitude", unit: "degree"),
    .number("accuracy", unit: "m"), .number("floor"), .time("still_until"),
  ]

  /// Encodes a trace; equal traces give equal bytes.
  /// - Parameter isFile: whether the form of files is written; else that of streams.
  /// - Throws: ``TraceError`` with the code `unsuitable` for positions in metres, `missing` for a point without a time.
  package static func bytes(of trace: Trace, isFile: Bool) throws(TraceError) -> [UInt8] {
    var writer = ArrowTableWriter(columns, name: "positions", isFile: isFile)
    var bytes = writer.head()
    for track in trace.tracks {
      let label: TableValue = .text(track.label.isEmpty ? "device" : track.label)
      for point in track.points {
        let place = try point.degrees()
        guard let time = point.time else {
          throw TraceError(.missing, "a point has no time, which a table of positions needs", line: point.line)
        }
        bytes += writer.add([
          label, .time(microseconds(time)), .number(rounded(place.longitude)), .number(rounded(place.latitude)),
          point.accuracy.map { .number($0) } ?? .missing, point.floor.map { .number($0.value) } ?? .missing,
          point.stillUntil.map { .time(microseconds($0)) } ?? .missing,
        ])
      }
    }
    return bytes + writer.finish()
  }

  private static func microseconds(_ time: Instant) -> Int64 {
    time.milliseconds.multipliedReportingOverflow(by: 1_000).partialValue
  }

  /// Nine decimals, as in the other formats.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}
