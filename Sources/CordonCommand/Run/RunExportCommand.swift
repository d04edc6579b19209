import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonContacts
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun
import CordonSupport
import Foundation

/// The command `cordon run export`.
struct RunExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export trajectories or contacts of a run for other programs.",
    discussion: """
      Examples:

        cordon run export monday --interval 1s -o ways.csv
        cordon run export monday --output-format jupedsim-sqlite --floor 0 \\
          --interval 100ms -o ground.sqlite
        cordon run export monday --device 12 -o person12.gpx
        cordon run export monday --source observed -o contacts.tij

      csv, geojson, gpx, arrow and mf-json hold positions in degrees; jupedsim (text) and jupedsim-sqlite those of one floor in metres, for \
      JuPedSim's viewer and PedPy; tij and graphml hold contacts. The Python package adds Parquet: --to parquet.
      """)

  /// The export formats.
  enum Format: String, FileFormat, CaseIterable {
    case csv, geojson, gpx, arrow, mfJSON = "mf-json", jupedsim, jupedsimSQLite = "jupedsim-sqlite", tij, graphML =
      "graphml"

    static var endings: [(ending: String, format: Format)] {
      [
        ("csv", .csv), ("geojson", .geojson), ("gpx", .gpx), ("arrow", .arrow), ("arrows", .arrow), ("mfjson", .mfJSON),
        ("txt", .jupedsim), ("sqlite", .jupedsimSQLite), ("tij", .tij), ("graphml", .graphML),
      ]
    }
  }

  @Argument(help: ArgumentHelp("The folder of a run, or its run.sqlite.", valueName: "run"))
  var folder: String

  /// The exported part of the run.
  struct Selection: ParsableArguments {
    @Option(help: ArgumentHelp("The time between two positions. (default: 1s)", valueName: "duration"))
    var interval: DurationArgument?

    @Option(
      help: ArgumentHelp(
        "Only this floor: its ordinal, name or identifier. Required for jupedsim if there are several.",
        valueName: "floor"))
    var floor: FloorArgument?

    @Option(help: ArgumentHelp("Only this device, or the person of this number.", valueName: "device"))
    var device: String?

    @Option(
      help: ArgumentHelp("Contacts of tij and graphml: true or observed ones. (default: truth)", valueName: "source"))
    var source: TrackSource?
  }

  @OptionGroup(title: "Selection") var selection: Selection
  @OptionGroup(title: "Output") var output: RequiredOutputOptions<Format>

  func validate() throws {
    let format = try output.format()
    if format == .jupedsimSQLite, output.output == "-" {
      throw ValidationError("an SQLite file needs a name: -o FILE")
    }
    guard step >= .milliseconds(1) else { throw ValidationError("--interval must be at least 1ms") }
    // Options without effect are refused.
    if format == .tij || format == .graphML {
      let given = [
        ("--interval", selection.interval != nil), ("--floor", selection.floor != nil),
        ("--device", selection.device != nil),
      ].filter(\.1)
      if let option = given.first?.0 {
        throw ValidationError("\(option) needs a format of trajectories; \(format.rawValue) holds contacts")
      }
    } else if selection.source == .observed {
      throw ValidationError("--source observed needs tij or graphml; trajectories are those of the truth")
    }
  }

  private var step: TimeSpan { selection.interval?.span ?? .seconds(1) }

  func run() throws {
    let format = try output.format()
    let destination = try output.destination(inputs: [folder, folder + "/run.sqlite"])
    let progress = ProgressLine(quiet: output.quiet)
    defer { progress.finish() }
    progress.begin(phase: "reading")
    let temporary = try TemporaryFolder()
    defer { temporary.remove() }
    let file = temporary.database("export")
    let reader = try RunReader(path: folder)
    let count = try write(reader, as: format, to: file, progress)
    progress.begin(phase: "copying")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
    let size = try destination.write(Array(bytes))
    progress.finish()
    try output.report(
      [
        "schema": "cordon.run-export/1", "format": .string(format.rawValue), "output": .string(output.output),
        "bytes": JSONValue(size), "rows": JSONValue(count), "partial": .bool(try reader.isPartial()),
      ],
      "\(output.output): \(format.rawValue), \(Counted.of(count, "row")), \(Counted.of(size, "byte"))\n")
  }

  /// Writes the file; returns how many rows it has.
  private func write(
    _ reader: RunReader, as format: Format, to file: String, _ progress: ProgressLine
  ) throws -> Int {
    switch format {
    case .tij, .graphML:
      progress.begin(phase: "contacts")
      return try writeContacts(reader, as: format, to: file)
    case .jupedsimSQLite:
      let (floor, outline) = try chosenFloor(reader, for: format)
      let tracks = try tracks(reader, progress)
      try JuPedSimFile(tracks, floor: floor, outline: outline).writeDatabase(to: file)
      var count = 0
      tracks.forEach(on: floor) { _ in count += 1 }
      return count
    case .jupedsim:
      return try writeTrace(reader, as: .jupedsim, try chosenFloor(reader, for: format).floor, to: file, progress)
    case .csv: return try writeTrace(reader, as: .csv, try floorNumber(reader), to: file, progress)
    case .geojson: return try writeTrace(reader, as: .geojson, try floorNumber(reader), to: file, progress)
    case .gpx: return try writeTrace(reader, as: .gpx, try floorNumber(reader), to: file, progress)
    case .mfJSON: return try writeTrace(reader, as: .mfJSON, try floorNumber(reader), to: file, progress)
    case .arrow: return try writeTrace(reader, as: .csv, try floorNumber(reader), to: file, progress, isArrow: true)
    }
  }

  private func writeTrace(
    _ reader: RunReader, as format: TraceFormat, _ floor: Int32?, to file: String, _ progress: ProgressLine,
    isArrow: Bool = false
  ) throws -> Int {
    let writer = RunTrace(
      tracks: try tracks(reader, progress), frame: LocalFrame(origin: try reader.parameters().frameOrigin),
      people: try reader.people(), floor: floor, isInMetres: format == .jupedsim)
    let trace = writer.trace(named: URL(fileURLWithPath: folder).lastPathComponent, as: format)
    progress.begin(phase: "writing")
    do {
      // A file with that ending has the form of files; other ones and standard output have that of streams.
      let isFile = output.output.lowercased().hasSuffix(".arrow")
      let bytes =
        isArrow
        ? try ArrowPositions.bytes(of: trace, isFile: isFile) : try TraceWriter.bytes(of: trace, as: format)
      try Data(bytes).write(to: URL(fileURLWithPath: file))
    } catch let error as TraceError {
      throw CommandError(error.message, code: error.code.rawValue, file: folder)
    }
    return trace.pointCount
  }

  /// Reads the trajectories, with progress.
  private func tracks(_ reader: RunReader, _ progress: ProgressLine) throws -> RunTracks {
    var segments = try reader.truth()
    guard !segments.isEmpty else {
      throw CommandError("has no true positions", code: "no-truth", file: folder)
    }
    if let device = selection.device {
      let number = Int32(exactly: try reader.people().firstIndex { $0.device?.rawValue == device } ?? -1) ?? -1
      let person = number >= 0 ? number : Int32(device)
      segments = segments.filter { $0.device == person }
      guard !segments.isEmpty else {
        throw CommandError("--device: no device or person '\(device)' in this run", code: "not-found", file: folder)
      }
    }
    var tracks = RunTracks(segments: segments, start: try reader.parameters().start, step: step)
    tracks.onSegment = { progress.update(phase: "ways", done: $0, total: $1, unit: "pieces") }
    return tracks
  }

  private func floorNumber(_ reader: RunReader) throws -> Int32? {
    guard let text = selection.floor?.text else { return nil }
    let floors = try reader.venue().floors
    let named = Set(floors.filter { $0.id.rawValue == text || $0.name == text }.map(\.ordinal))
    let found = named.isEmpty ? Set(floors.map(\.ordinal).filter { $0 == selection.floor?.ordinal }) : named
    guard let ordinal = found.min() else {
      let known = Set(floors.map(\.ordinal)).sorted().map(\.description).joined(separator: ", ")
      throw CommandError("--floor: the venue has no floor \(text); its floors are \(known)", code: "unknown-floor")
    }
    guard found.count == 1 else {
      throw CommandError("--floor: several floors have the name \(text); give an ordinal", code: "ambiguous-floor")
    }
    return ordinal.thousandths
  }

  private func chosenFloor(_ reader: RunReader, for format: Format) throws -> (floor: Int32, outline: [[PlanePoint]]) {
    let venue = try reader.venue()
    let ordinals = Set(venue.floors.map(\.ordinal)).sorted()
    let wanted: FloorOrdinal
    if let number = try floorNumber(reader) {
      wanted = FloorOrdinal(thousandths: number)
    } else if ordinals.count == 1 {
      wanted = ordinals[0]
    } else {
      throw CommandError(
        "\(format.rawValue) holds one floor: give --floor, one of \(ordinals.map(\.description).joined(separator: ", "))",
        code: "usage")
    }
    return (wanted.thousandths, venue.floors.filter { $0.ordinal == wanted }.flatMap(\.outline))
  }

  private func writeContacts(_ reader: RunReader, as format: Format, to file: String) throws -> Int {
    let record: RunSource = selection.source == .observed ? .observed : .truth
    let contacts = try reader.contacts(record).map(\.contact)
    // The truth covers all people; observed contacts only those with a device.
    let people = try reader.people().enumerated().filter { record == .truth || $0.element.device != nil }
    let network = ContactNetwork(contacts, among: people.map { Int32(truncatingIfNeeded: $0.offset) })
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
      throw CommandError("cannot be created", code: "cannot-write", file: path)
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
