import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues
import Foundation

/// The command `cordon venue locate`.
struct VenueLocateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locate",
    abstract: "Locate positions in a venue: inside or not, distance, floor, space.",
    discussion: """
      Example:

        printf '11.58020,48.14020,0,5\\n' | \\
          cordon venue locate venues/office.mvf.zip --points -

      Points are lines of LON,LAT[,FLOOR[,ACCURACY_M]]: degrees, the floor's ordinal (empty when unknown), and the radius \
      that holds the device with a probability of 68 %. A first line without numbers is a header; empty lines and lines with \
      # are ignored. -o FILE.jsonl writes one JSON object per point, in order.

      A packed venue (.cvp) is read as well, with the boundary and tolerance that it was packed with. It has no buildings.
      """)

  @OptionGroup(title: "Input") var input: VenueInput
  @OptionGroup(title: "Boundary") var boundary: BoundaryOptions

  /// The points, and what counts as inside.
  struct Points: ParsableArguments {
    @Option(help: ArgumentHelp("The file of points, - for standard input.", valueName: "file"))
    var points: String

    @Option(
      help: ArgumentHelp(
        "The distance outside of the boundary that still counts as inside. (default: 0m, or that of the packed venue)",
        valueName: "metres"))
    var tolerance: DistanceArgument?

    @Option(
      help: ArgumentHelp(
        "The minimum probability of being inside, 0 to 1. Above 0, positions without an accuracy are outside.",
        valueName: "share"))
    var minimumProbability = 0.0

    func validate() throws {
      guard (0...1_000).contains(tolerance?.metres ?? 0) else {
        throw ValidationError("--tolerance must be from 0 to 1000 metres")
      }
      guard (0...1).contains(minimumProbability) else {
        throw ValidationError("--minimum-probability must be from 0 to 1")
      }
    }
  }

  @OptionGroup(title: "Points") var own: Points
  @OptionGroup(title: "Output") var output: OutputOptions<LocateFormat>

  func run() throws {
    let destination = try output.destination(
      inputs: [input.path, own.points, boundary.boundaryPolygon].compactMap(\.self))
    let locator = try locator()
    let places = try PointList.read(own.points)
    if let destination {
      let file = try destination.file.open()
      for place in places {
        let location = locator.locate(place.position, floor: place.floor, accuracy: place.accuracy)
        switch destination.format {
        case .jsonl: try file.write(location.json.text() + "\n")
        case .text: try file.write(location.line(for: place) + "\n")
        }
      }
      try file.finish()
      return
    }
    if output.json {
      let located = places.map { locator.locate($0.position, floor: $0.floor, accuracy: $0.accuracy).json }
      return try Output.print(["schema": "cordon.venue-locate/1", "points": .array(located)])
    }
    var text = ""
    for place in places {
      text += locator.locate(place.position, floor: place.floor, accuracy: place.accuracy).line(for: place) + "\n"
      // Whole lines, a megabyte at a time.
      if text.utf8.count > 1 << 20 {
        try Output.print(text)
        text = ""
      }
    }
    try Output.print(text)
  }
}

/// The formats of `venue locate`.
enum LocateFormat: String, FileFormat, CaseIterable {
  case jsonl, text

  static var endings: [(ending: String, format: LocateFormat)] {
    [("jsonl", .jsonl), ("ndjson", .jsonl), ("txt", .text)]
  }
  static var defaultFormat: LocateFormat? { .text }
}

extension VenueLocateCommand {
  private func locator() throws -> VenueLocator {
    if let map = try PackedMap.read(input.path, decided: boundary.words) {
      return VenueLocator(
        map.venue, boundary: map.boundary, tolerance: own.tolerance?.metres ?? map.packed.tolerance,
        minimumProbability: own.minimumProbability)
    }
    let venue = try input.load().venue
    return VenueLocator(
      venue, boundary: try venue.boundary(try boundary.choice()), tolerance: own.tolerance?.metres ?? 0,
      minimumProbability: own.minimumProbability)
  }
}

/// Points as lines of text.
enum PointList {
  struct Point: Equatable {
    var position: Coordinate
    var floor: FloorOrdinal?
    var accuracy: Double?
  }

  /// Reads a file, or standard input for `-`.
  static func read(_ path: String) throws -> [Point] {
    let data: Data
    do {
      data = path == "-" ? try FileHandle.standardInput.readToEnd() ?? Data() : try TextFile.contents(of: path)
    } catch {
      throw CommandError("cannot be read: \(Output.reason(of: error))", code: "not-found", file: path)
    }
    return try parse(String(decoding: data, as: UTF8.self), file: path)
  }

  /// Reads lines of `lon,lat[,floor[,accuracy_m]]`.
  static func parse(_ text: String, file: String) throws -> [Point] {
    var points: [Point] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if index == 0, fields.first.map({ Double($0) == nil }) ?? false { continue }
      guard let point = point(fields) else {
        throw CommandError(
          "not LON,LAT[,FLOOR[,ACCURACY_M]] with numbers in range", code: "malformed-points",
          file: path(file), place: "line \(index + 1)")
      }
      points.append(point)
    }
    return points
  }

  private static func path(_ file: String) -> String { file == "-" ? "standard input" : file }

  private static func point(_ fields: [String]) -> Point? {
    guard (2...4).contains(fields.count), let longitude = Double(fields[0]), let latitude = Double(fields[1]) else {
      return nil
    }
    var point = Point(position: Coordinate(longitude: longitude, latitude: latitude))
    guard point.position.isValid else { return nil }
    if fields.count > 2, !fields[2].isEmpty {
      guard let floor = Double(fields[2]).flatMap({ FloorOrdinal($0) }) else { return nil }
      point.floor = floor
    }
    if fields.count > 3, !fields[3].isEmpty {
      guard let accuracy = Double(fields[3]), accuracy >= 0, accuracy.isFinite else { return nil }
      point.accuracy = accuracy
    }
    return point
  }
}

extension VenueLocation {
  var json: JSONValue {
    [
      "inside": .bool(isInside), "signed_distance_m": .metres(signedDistance), "building": JSONValue(building),
      "floor": JSONValue(floor?.rawValue), "space": JSONValue(space?.rawValue),
      "p_inside": JSONValue(probabilityInside.map { ($0 * 1e6).rounded() / 1e6 }),
    ]
  }

  fileprivate func line(for point: PointList.Point) -> String {
    let metres = signedDistance.map { "\((abs($0) * 100).rounded() / 100) m" } ?? "?"
    var parts = [
      "\(point.position.longitude),\(point.position.latitude)",
      isInside ? "inside, \(metres) to the boundary" : "outside, \(metres) away",
    ]
    if let building { parts.append("building \(building)") }
    if let floor { parts.append("floor \(floor)") }
    if let space { parts.append("space \(space)") }
    if let probabilityInside { parts.append("\((probabilityInside * 1_000).rounded() / 10) % inside") }
    return parts.joined(separator: "  ")
  }
}
