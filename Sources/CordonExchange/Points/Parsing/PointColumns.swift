internal import CordonCore
import CordonSupport

/// Which columns mean what.
struct PointColumns {
  /// Where places are given.
  enum Place: Hashable {
    case degrees, metres, geometry
  }

  private(set) var fields: [PointField?]
  private(set) var place = Place.degrees
  /// The names of the columns that are used.
  private(set) var names: [PointField: String] = [:]
  /// The choice between several columns, as a sentence.
  private(set) var assumption: String?

  /// - Parameter needsDevice: whether rows must say whose they are.
  init(names columns: [String], options: PointFileOptions, needsDevice: Bool = true) throws(PointFileError) {
    fields = Array(repeating: nil, count: columns.count)
    var places = try PointColumns.named(columns, options)
    let known = Dictionary(
      columns.enumerated().map { (PointField.normalised($0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    for (field, aliases) in PointField.names where options.columns[field] == nil {
      let isTaken = { (place: Int) in places.values.contains(place) }
      places[field] = aliases.lazy.compactMap { known[$0] }.first { !isTaken($0) }
    }
    if options.isDevicePerFile { places[.device] = nil }
    try choosePlace(&places, options)
    let wanted: [PointField] =
      switch place {
      case .geometry: [.geometry]
      case .metres: [.x, .y]
      case .degrees: [.longitude, .latitude]
      }
    for field in (needsDevice ? [.device] : []) + [.time] + wanted where places[field] == nil {
      throw PointColumns.missing(field, in: columns)
    }
    for (field, place) in places {
      fields[place] = field
      names[field] = columns[place]
    }
    if place == .metres, assumption == nil, let name = names[.x], PointColumns.isInAnotherUnit(name) {
      assumption = "the column \(Quotation.of(name, limit: 60)) is read as metres; convert other units before"
    }
  }

  /// Whether the name of a column ends in a unit of length in brackets that is not the metre: `x (cm)`, `Y [mm]`.
  private static func isInAnotherUnit(_ name: String) -> Bool {
    guard let bracket = name.lastIndex(where: { $0 == "(" || $0 == "[" }) else { return false }
    let unit = name[bracket...].lowercased().filter(\.isLetter)
    return ["mm", "cm", "dm", "km", "in", "ft", "px", "incm", "inmm", "inch", "feet"].contains(unit)
  }

  /// Leaves out fields that a format has no use for.
  mutating func ignore(_ ignored: [PointField]) {
    for place in fields.indices {
      if let field = fields[place], ignored.contains(field) { (fields[place], names[field]) = (nil, nil) }
    }
  }

  private static func named(
    _ columns: [String], _ options: PointFileOptions
  ) throws(PointFileError) -> [PointField: Int] {
    let lower = columns.map { $0.lowercased() }
    var places: [PointField: Int] = [:]
    for (field, name) in options.columns {
      guard let place = columns.firstIndex(of: name) ?? lower.firstIndex(of: name.lowercased()) else {
        throw PointFileError(
          .missingColumn, "has no column \(Quotation.of(name, limit: 60)); \(columns.listed)", line: 1)
      }
      places[field] = place
    }
    return places
  }

  /// Metres that the options name win over degrees that were only detected, and the other way round.
  private mutating func choosePlace(_ places: inout [PointField: Int], _ options: PointFileOptions)
    throws(PointFileError)
  {
    let hasMetres = places[.x] != nil && places[.y] != nil
    let hasDegrees = places[.longitude] != nil && places[.latitude] != nil
    let asksForMetres = options.columns[.x] != nil || options.isMetres && hasMetres
    let asksForGeometry = options.columns[.geometry] != nil
    if asksForGeometry || !hasMetres && !hasDegrees && places[.geometry] != nil {
      place = .geometry
    } else if hasMetres && (asksForMetres || !hasDegrees) {
      place = .metres
    }
    if hasMetres, hasDegrees, !asksForMetres, options.columns[.longitude] == nil {
      assumption =
        "places are those of the columns for longitude and latitude; x and y are not used (--metres uses them)"
    }
    if place != .metres { (places[.x], places[.y]) = (nil, nil) }
    if place != .degrees { (places[.longitude], places[.latitude]) = (nil, nil) }
    if place != .geometry { places[.geometry] = nil }
  }

  private static func missing(_ field: PointField, in columns: [String]) -> PointFileError {
    let wanted =
      switch field {
      case .longitude, .latitude: "longitude and latitude, x and y in metres, or a geometry"
      default: field.rawValue
      }
    let advice =
      switch field {
      case .device: "; --column device=NAME names it, and --device-from file takes each file as one device"
      default: "; --column \(field.rawValue)=NAME names one"
      }
    return PointFileError(.missingColumn, "has no column for \(wanted); \(columns.listed)\(advice)", line: 1)
  }
}

extension [String] {
  /// The names of columns, for a message. A first line that may hold values is not quoted: they may be somebody's.
  fileprivate var listed: String {
    let holdsValues = map(\.withoutUnit).contains { name in
      Double(name) != nil || Timestamp(name) != nil || name.utf8.count > 64
        || name.unicodeScalars.contains { "{}<>[]\"$*@\u{FFFD}".unicodeScalars.contains($0) || $0.value < 0x20 }
    }
    if holdsValues { return "its first line holds values, not the names of columns" }
    return "its columns are " + Quotation.of(joined(separator: ", "))
  }
}

extension String {
  /// The name of a column without a short unit in square brackets behind it.
  fileprivate var withoutUnit: String {
    guard last == "]", let bracket = lastIndex(of: "["), self[bracket...].count <= 10 else { return self }
    return String(self[..<bracket])
  }
}
