import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues
import CordonYAML

extension VenueOverlay {
  /// The version of the format.
  static let version = 1

  /// Reads an overlay.
  /// - Throws: `YAMLFault` with the line.
  init(parsing text: String) throws {
    let root = YAMLValue(node: try YAMLNode(text: text), path: "")
    let top = try root.fields(["overlay", "spaces", "doors", "entrances", "connections", "floors"])
    let version = try top.required("overlay")
    guard try version.whole(in: 1...1_000_000) == VenueOverlay.version else {
      throw version.fail("must be \(VenueOverlay.version), the only version of the format")
    }
    for item in top["spaces"]?.items ?? [] { spaces.append(try SpaceChange(item)) }
    for item in top["doors"]?.items ?? [] { try readDoor(item) }
    for item in top["entrances"]?.items ?? [] { try readEntrance(item) }
    for item in top["connections"]?.items ?? [] { try readLink(item) }
    for item in top["floors"]?.items ?? [] { moves.append(try FloorMove(item)) }
  }

  private mutating func readDoor(_ value: YAMLValue) throws {
    if let renamed = try OpeningName(value, ["between", "at", "width"]) { return renamedOpenings.append(renamed) }
    let fields = try VenueOverlay.fields(of: value, ["between", "at", "width", "name"], removing: &removedOpenings)
    guard let fields else { return }
    let between = try fields.required("between").placedTexts
    guard between.value.count == 2 else {
      throw try fields.required("between").fail("must name the two spaces that the door connects")
    }
    doors.append(
      Door(
        between: between, position: try fields["at"]?.coordinate,
        width: try fields["width"]?.doorWidth ?? VenueOverlay.doorWidth, name: try fields["name"]?.placedText))
  }

  private mutating func readEntrance(_ value: YAMLValue) throws {
    if let renamed = try OpeningName(value, ["space", "at", "width"]) { return renamedOpenings.append(renamed) }
    let fields = try VenueOverlay.fields(of: value, ["space", "at", "width", "name"], removing: &removedOpenings)
    guard let fields else { return }
    entrances.append(
      Entrance(
        space: try fields.required("space").placedText, position: try fields.required("at").coordinate,
        width: try fields["width"]?.doorWidth ?? VenueOverlay.doorWidth, name: try fields["name"]?.placedText))
  }

  private mutating func readLink(_ value: YAMLValue) throws {
    let fields = try VenueOverlay.fields(of: value, ["kind", "joins", "name"], removing: &removedLinks)
    guard let fields else { return }
    let joins = try fields.required("joins").placedTexts
    guard joins.value.count >= 2 else {
      throw try fields.required("joins").fail("must name two spaces or more, on different floors")
    }
    links.append(
      Link(kind: try fields.required("kind").connectionKind, joins: joins, name: try fields["name"]?.placedText))
  }

  /// Returns the keys of an entry that adds a part; `nil` for one that removes a part, whose name is added to `removed`.
  private static func fields(
    of value: YAMLValue, _ keys: [String], removing removed: inout [Placed<String>]
  ) throws -> YAMLFields? {
    let fields = try value.fields(keys + ["remove"])
    guard let name = fields["remove"] else { return fields }
    for key in keys {
      if let other = fields[key] { throw other.fail("cannot stand beside 'remove'") }
    }
    removed.append(try name.placedText)
    return nil
  }
}

extension VenueOverlay.OpeningName {
  /// Reads an entry that renames an opening; returns `nil` for one that adds or removes one with some `keys`.
  fileprivate init?(_ value: YAMLValue, _ keys: [String]) throws {
    let fields = try value.fields(keys + ["name", "remove", "rename"])
    guard let target = fields["rename"] else { return nil }
    for key in keys + ["remove"] {
      if let other = fields[key] { throw other.fail("cannot stand beside 'rename'") }
    }
    opening = try target.placedText
    name = try fields.required("name").text
  }
}

extension VenueOverlay.SpaceChange {
  fileprivate init(_ value: YAMLValue) throws {
    let fields = try value.fields([
      "space", "kind", "name", "group", "capacity", "ceiling", "air_changes", "record", "closed",
    ])
    space = try fields.required("space").placedText
    kind = try fields["kind"]?.choice(SpaceKind.self)
    name = try fields["name"]?.text
    group = try fields["group"]?.text
    capacity = try fields["capacity"]?.whole(in: 1...1_000_000)
    ceilingHeight = try fields["ceiling"]?.length(in: 1...200)
    airChanges = try fields["air_changes"]?.number(in: 0...1_000)
    recording = try fields["record"]?.recording
    isClosed = try fields["closed"]?.truth ?? false
  }
}

extension VenueOverlay.FloorMove {
  fileprivate init(_ value: YAMLValue) throws {
    let fields = try value.fields(["floor", "move"])
    floor = try fields.required("floor").placedText
    let move = try fields.required("move")
    let distances = try move.items.map { try $0.length(in: -1_000...1_000) }
    guard distances.count == 2 else { throw move.fail("must be two distances: [east, north], such as [1.5m, -0.3m]") }
    (east, north) = (distances[0], distances[1])
  }
}

extension YAMLValue {
  fileprivate var placedText: VenueOverlay.Placed<String> {
    get throws {
      let text = try text
      guard !text.isEmpty else { throw fail("must not be empty") }
      return VenueOverlay.Placed(value: text, line: node.line, path: path)
    }
  }

  fileprivate var placedTexts: VenueOverlay.Placed<[VenueOverlay.Placed<String>]> {
    get throws { VenueOverlay.Placed(value: try items.map { try $0.placedText }, line: node.line, path: path) }
  }

  /// The value as a length in metres, such as `1.2m`, `40cm` or `1.2`.
  fileprivate func length(in range: ClosedRange<Double>) throws -> Double {
    var text = try text
    var unit = 1.0
    if text.hasSuffix("cm") {
      text.removeLast(2)
      unit = 0.01
    } else if text.hasSuffix("m") {
      text.removeLast()
    }
    while text.last == " " { text.removeLast() }
    guard let number = Double(text), number.isFinite else {
      throw fail("must be a length such as 1.2m or 80cm, not '\(Quotation.of(try self.text))'")
    }
    let metres = number * unit
    guard range.contains(metres) else {
      throw fail(
        "must be between \(YAMLValue.plain(range.lowerBound)) m and \(YAMLValue.plain(range.upperBound)) m")
    }
    return metres
  }

  fileprivate var doorWidth: Double { get throws { try length(in: PlanSettings().minimumDoorWidth...50) } }

  /// The value as `[longitude, latitude]`.
  fileprivate var coordinate: VenueOverlay.Placed<Coordinate> {
    get throws {
      let numbers = try items.map { try $0.number(in: -180...180) }
      guard numbers.count == 2, abs(numbers[1]) <= 90 else {
        throw fail("must be [longitude, latitude] in degrees, such as [8.54012, 47.37021]")
      }
      return VenueOverlay.Placed(
        value: Coordinate(longitude: numbers[0], latitude: numbers[1]), line: node.line, path: path)
    }
  }

  /// The highest level of recording in a space: `false`, or `floor` for the floor alone.
  ///
  /// An overlay can only restrict recording: a mistake in it does not record people in a restroom.
  fileprivate var recording: GateVerdict.Recording {
    get throws {
      switch try text {
      case "false": return .unrecorded
      case "floor": return .floorOnly
      default:
        throw fail("must be false (nothing is recorded) or floor (only the floor is recorded)")
      }
    }
  }

  fileprivate var connectionKind: Connection.Kind {
    get throws {
      let text = try text
      let names = ["stairs", "lift", "escalator", "ramp"]
      switch text {
      case "lift", "elevator": return .elevator
      case "stairs": return .stairs
      case "escalator": return .escalator
      case "ramp": return .ramp
      default:
        throw fail(
          "'\(Quotation.of(text))' is not one of \(names.joined(separator: ", "))"
            + Suggestion.hint(for: text, among: names))
      }
    }
  }
}
