import ArgumentParser
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun
import Foundation

/// `cordon run export`
struct RunExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a run's ways or contacts in a format that other programs open.",
    discussion: """
      Examples:

        cordon run export monday --as csv --every 1s -o ways.csv
        cordon run export monday --as jupedsim-sqlite --floor 0 --every 100ms -o ground.sqlite
        cordon run export monday --as gpx --person 12 -o person12.gpx
        cordon run export monday --as tij --source observed -o contacts.tij

      csv, geojson and gpx hold positions in degrees; jupedsim (text) and jupedsim-sqlite those of one floor in metres, for \
      JuPedSim's viewer and PedPy; tij and graphml hold contacts.
      """)

  /// What can be written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case csv, geojson, gpx, jupedsim, jupedsimSQLite = "jupedsim-sqlite", tij, graphML = "graphml"
  }

  @Argument(help: ArgumentHelp("The folder of a run, or its run.sqlite.", valueName: "run"))
  var folder: String

  @Option(name: .customLong("as"), help: "The format: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format: Format

  @Option(parsing: .unconditional, help: "Time between two positions, with its unit. (default: 1s)")
  var every: DurationArgument?

  @Option(parsing: .unconditional, help: "The floor, by its ordinal; needed for jupedsim where there are several.")
  var floor: Double?

  @Option(help: "Only this person, by number.")
  var person: Int32?

  @Option(
    help: "Contacts as they were (truth) or as devices saw them (observed); for tij and graphml. (default: truth)")
  var source: String?

  @Option(name: [.short, .long], help: "The file to write; - for standard output.")
  var output: String

  @Flag(help: "Replace the file if it exists.")
  var force = false

  @Flag(help: "Print one JSON object about what was written.")
  var json = false

  @Flag(name: [.short, .long], help: "Show no progress.")
  var quiet = false

  func validate() throws {
    if json, output == "-" { throw ValidationError("--json and -o - would both go to standard output") }
    if format == .jupedsimSQLite, output == "-" { throw ValidationError("an SQLite file needs a name: -o FILE") }
    guard step >= .milliseconds(1) else { throw ValidationError("--every is at least 1ms") }
    // What would be passed over is refused: the file would not hold what was asked for.
    if format == .tij || format == .graphML {
      let given = [("--every", every != nil), ("--floor", floor != nil), ("--person", person != nil)].filter(\.1)
      if let option = given.first?.0 {
        throw ValidationError("\(option) goes with ways, and \(format.rawValue) holds the contacts of everybody")
      }
    } else if let source, source != "truth" {
      throw ValidationError("--source \(source) goes with tij and graphml: ways are exported as they were")
    }
  }

  private var step: TimeSpan { every?.span ?? .seconds(1) }

  func run() throws {
    if output != "-", !force, FileManager.default.fileExists(atPath: output) {
      throw Failure("exists already; use --force to replace it", code: "exists", file: output)
    }
    let progress = ProgressLine(quiet: quiet)
    defer { progress.finish() }
    progress.begin(phase: "reading")
    let temporary = try TemporaryFolder()
    defer { temporary.remove() }
    let file = temporary.path + "/export"
    let interrupted = Failure("interrupted: nothing is written", code: "interrupted", status: .interrupted)
    Interruption.endsAtOnce(
      saying: interrupted.text(wantsJSON: json),
      removing: ["export", "export-journal", "export-wal", "export-shm"], in: temporary.path)
    let reader = try RunReader(path: folder)
    let count = try write(reader, to: file, progress)
    Interruption.holdsOn()
    progress.begin(phase: "copying")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
    try Output.write(bytes, toFile: output, force: force)
    progress.finish()
    if json {
      Output.print([
        "schema": "cordon.run-export/1", "format": .string(format.rawValue), "output": .string(output),
        "bytes": JSONValue(bytes.count), "rows": JSONValue(count), "partial": .bool(try reader.isPartial()),
      ])
    }
  }

  /// Writes the file; returns how many rows it has.
  private func write(_ reader: RunReader, to file: String, _ progress: ProgressLine) throws -> Int {
    switch format {
    case .tij, .graphML:
      progress.begin(phase: "contacts")
      return try writeContacts(reader, to: file)
    case .jupedsimSQLite:
      let (floor, outline) = try chosenFloor(reader)
      let tracks = try tracks(reader, progress)
      try JuPedSimFile(tracks, floor: floor, outline: outline).writeDatabase(to: file)
      var count = 0
      tracks.forEach(on: floor) { _ in count += 1 }
      return count
    case .jupedsim: return try writeTrace(reader, as: .jupedsim, try chosenFloor(reader).floor, to: file, progress)
    case .csv: return try writeTrace(reader, as: .csv, try floorNumber(), to: file, progress)
    case .geojson: return try writeTrace(reader, as: .geojson, try floorNumber(), to: file, progress)
    case .gpx: return try writeTrace(reader, as: .gpx, try floorNumber(), to: file, progress)
    }
  }

  private func writeTrace(
    _ reader: RunReader, as format: TraceFormat, _ floor: Int32?, to file: String, _ progress: ProgressLine
  ) throws -> Int {
    let writer = RunTrace(
      tracks: try tracks(reader, progress), frame: LocalFrame(origin: try reader.parameters().frameOrigin),
      people: try reader.people(), floor: floor, isInMetres: format == .jupedsim)
    let trace = writer.trace(named: URL(fileURLWithPath: folder).lastPathComponent, as: format)
    progress.begin(phase: "writing")
    do {
      try Data(try TraceWriter.bytes(of: trace, as: format)).write(to: URL(fileURLWithPath: file))
    } catch let error as TraceError {
      throw Failure(error.message, code: error.code.rawValue, file: folder)
    }
    return trace.pointCount
  }

  /// What is read of people's ways; whoever goes through it tells how far it is.
  private func tracks(_ reader: RunReader, _ progress: ProgressLine) throws -> RunTracks {
    var segments = try reader.truth()
    guard !segments.isEmpty else {
      throw Failure("does not know where people were", code: "no-truth", file: folder)
    }
    if let person {
      segments = segments.filter { $0.device == person }
      guard !segments.isEmpty else {
        throw Failure("--person: nobody of that number was ever there", code: "not-found", file: folder)
      }
    }
    var tracks = RunTracks(segments: segments, start: try reader.parameters().start, step: step)
    tracks.onSegment = { progress.update(phase: "ways", done: $0, total: $1, unit: "pieces") }
    return tracks
  }

  private func floorNumber() throws -> Int32? {
    guard let floor else { return nil }
    guard let ordinal = FloorOrdinal(floor) else { throw Failure("--floor: \(floor) is no ordinal", code: "usage") }
    return ordinal.thousandths
  }

  private func chosenFloor(_ reader: RunReader) throws -> (floor: Int32, outline: [[PlanePoint]]) {
    let venue = try reader.venue()
    let ordinals = Set(venue.floors.map(\.ordinal)).sorted()
    let wanted: FloorOrdinal
    if let number = try floorNumber() {
      wanted = FloorOrdinal(thousandths: number)
    } else if ordinals.count == 1 {
      wanted = ordinals[0]
    } else {
      throw Failure(
        "\(format.rawValue) holds one floor: give --floor, one of \(ordinals.map(\.description).joined(separator: ", "))",
        code: "usage")
    }
    guard ordinals.contains(wanted) else {
      throw Failure(
        "--floor: the venue has no floor \(wanted), but \(ordinals.map(\.description).joined(separator: ", "))",
        code: "usage")
    }
    return (wanted.thousandths, venue.floors.filter { $0.ordinal == wanted }.flatMap(\.outline))
  }

  private func writeContacts(_ reader: RunReader, to file: String) throws -> Int {
    guard let record = RunSource(rawValue: source ?? "truth") else {
      throw Failure("--source is truth or observed, not '\(source ?? "")'", code: "usage")
    }
    let contacts = try reader.contacts(record).map(\.contact)
    let network = ContactNetwork(contacts)
    let text = try TextOutput(path: file)
    try NetworkWriter(network) { String($0) }.write(format == .tij ? .tij : .graphML) { try text.put($0) }
    try text.close()
    return contacts.count
  }
}

/// A text file that is written piece by piece.
final class TextOutput {
  private let handle: FileHandle
  private var buffer = Data()

  init(path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      throw Failure("cannot be created", code: "cannot-write", file: path)
    }
    handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  func put(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 20 { try flush() }
  }

  func close() throws {
    try flush()
    try handle.close()
  }

  private func flush() throws {
    try handle.write(contentsOf: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
