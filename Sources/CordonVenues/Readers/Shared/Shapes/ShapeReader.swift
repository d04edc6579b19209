import CordonCore
import CordonGeometry

/// Converts the GeoJSON geometries of one file to ``RawShape``, and repairs and reports faults.
///
/// Only the first two numbers of a position are used. In the result, outer rings are counter-clockwise and holes
/// clockwise, regardless of the source. A hole is any ring except the first one.
struct ShapeReader {
  let document: JSONDocument
  let limits: VenueLimits
  /// The transformation of the source's two numbers to degrees; `nil` if they are in degrees already.
  var transform: Georeference?

  init(_ document: JSONDocument, limits: VenueLimits, transform: Georeference? = nil) {
    self.document = document
    self.limits = limits
    self.transform = transform
  }

  /// The object to which a shape belongs, for findings.
  struct Owner {
    var object: String?
    /// Pointer of the feature; `/geometry` is appended.
    var pointer: String
  }

  /// Reads the `geometry` member of a feature.
  func shape(
    of feature: JSONView, owner: @autoclosure () -> Owner, findings: inout FindingLog
  ) throws(VenueError) -> RawShape {
    guard let geometry = feature["geometry"], !geometry.isNull else { return .none }
    return try shape(geometry: geometry, owner: owner(), findings: &findings)
  }

  /// Returns the position of a feature that should be a point, with a fast path that creates no shape.
  func point(
    of feature: JSONView, object: String, ordinal: Int, _ findings: inout FindingLog
  ) throws(VenueError) -> Coordinate? {
    if let geometry = document.member("geometry", of: feature.index),
      let type = document.member("type", of: geometry), document.matches(type, "Point"),
      let coordinates = document.member("coordinates", of: geometry)
    {
      let node = document.tape[coordinates]
      if transform == nil, node.kind == .array, node.count >= 2, let x = document.double(at: coordinates + 1),
        let y = document.double(at: coordinates + 2), abs(x) <= 180, abs(y) <= 90
      {
        return Coordinate(longitude: x, latitude: y)
      }
    }
    let owner = Owner(object: object, pointer: "/features/\(ordinal)")
    return try shape(of: feature, owner: owner, findings: &findings).anchor
  }

  /// Reads a geometry object.
  func shape(geometry: JSONView, owner: Owner, findings: inout FindingLog) throws(VenueError) -> RawShape {
    guard let type = geometry["type"]?.string else {
      report("geometry-unreadable", "the geometry has no type", owner, &findings)
      return .none
    }
    if type == "GeometryCollection" { return try collection(geometry, owner: owner, findings: &findings) }
    guard let coordinates = geometry["coordinates"], coordinates.isArray, coordinates.count > 0 else {
      report("geometry-empty", "the geometry has no coordinates", owner, &findings)
      return .none
    }
    switch type {
    case "Point":
      return position(coordinates.index, owner, &findings).map { .points([$0]) } ?? .none
    case "MultiPoint":
      return points(try line(coordinates.index, owner, &findings))
    case "LineString":
      let line = try line(coordinates.index, owner, &findings)
      return line.count >= 2 ? .lines([line]) : shortLine(line, owner, &findings)
    case "MultiLineString":
      var lines: [[Coordinate]] = []
      for element in coordinates.elements {
        let line = try line(element.index, owner, &findings)
        if line.count >= 2 { lines.append(line) } else { _ = shortLine(line, owner, &findings) }
      }
      return lines.isEmpty ? .none : .lines(lines)
    case "Polygon":
      return area(try polygon(coordinates.index, "/coordinates", owner, &findings).map { [$0] } ?? [])
    case "MultiPolygon":
      var polygons: [GeoPolygon] = []
      for (ordinal, element) in coordinates.elements.enumerated() {
        if let polygon = try polygon(element.index, "/coordinates/\(ordinal)", owner, &findings) {
          polygons.append(polygon)
        }
      }
      return area(polygons)
    default:
      report("geometry-unreadable", "\(type.debugDescription) is not a geometry type", owner, &findings)
      return .none
    }
  }

  // Areas take precedence over lines and lines over points, because a collection usually pairs an outline with its
  // label.
  private func collection(
    _ geometry: JSONView, owner: Owner, findings: inout FindingLog
  ) throws(VenueError) -> RawShape {
    var polygons: [GeoPolygon] = []
    var lines: [[Coordinate]] = []
    var points: [Coordinate] = []
    guard let members = geometry["geometries"] else {
      report("geometry-empty", "the geometry collection is empty", owner, &findings)
      return .none
    }
    for member in members.elements {
      // Nesting is legal but discouraged; the parser limits its depth.
      switch try shape(geometry: member, owner: owner, findings: &findings) {
      case .none: break
      case .points(let more): points += more
      case .lines(let more): lines += more
      case .area(let area): polygons += area.polygons
      }
    }
    findings.add(
      .info, "geometry-collection", file: document.file, pointer: owner.pointer + "/geometry", object: owner.object,
      action: .repaired, "a geometry collection is read as its areas, else its lines, else its points")
    if !polygons.isEmpty { return .area(GeoMultiPolygon(polygons)) }
    if !lines.isEmpty { return .lines(lines) }
    return self.points(points)
  }

  private func points(_ points: [Coordinate]) -> RawShape { points.isEmpty ? .none : .points(points) }
  private func area(_ polygons: [GeoPolygon]) -> RawShape {
    polygons.isEmpty ? .none : .area(GeoMultiPolygon(polygons))
  }

  private func shortLine(_ line: [Coordinate], _ owner: Owner, _ findings: inout FindingLog) -> RawShape {
    report("line-too-short", "a line needs two positions", owner, &findings)
    return points(line)
  }

  private func report(_ code: String, _ message: String, _ owner: Owner, _ findings: inout FindingLog) {
    findings.add(
      .warning, code, file: document.file, pointer: owner.pointer + "/geometry", object: owner.object,
      action: .ignored, message)
  }

  // A polygon with an unusable outer ring is dropped as a whole; an unusable hole is dropped alone.
  private func polygon(
    _ index: Int, _ path: String, _ owner: Owner, _ findings: inout FindingLog
  ) throws(VenueError) -> GeoPolygon? {
    var outer: [Coordinate]?
    var holes: [[Coordinate]] = []
    var ordinal = 0
    let rings = JSONElements(document: document, index: index)
    for element in rings {
      let positions = try line(element.index, owner, &findings)
      let isHole = ordinal > 0
      let repair = RingRepair(positions, isHole: isHole)
      for problem in repair.problems {
        findings.add(
          problem.severity, problem.code, file: document.file,
          pointer: "\(owner.pointer)/geometry\(path)/\(ordinal)", object: owner.object, action: problem.action,
          problem.message)
      }
      if isHole {
        if let ring = repair.ring { holes.append(ring) }
      } else {
        outer = repair.ring
        if outer == nil { return nil }
      }
      ordinal += 1
    }
    return outer.map { GeoPolygon(outer: $0, holes: holes) }
  }

  // Reads all positions of a line or ring into one array, without unusable ones.
  private func line(
    _ index: Int, _ owner: Owner, _ findings: inout FindingLog
  ) throws(VenueError) -> [Coordinate] {
    let node = document.tape[index]
    guard node.kind == .array else {
      report("geometry-unreadable", "coordinates are not nested as the geometry type asks", owner, &findings)
      return []
    }
    guard node.count <= limits.ringVertices else {
      throw VenueError(
        code: "limit-exceeded", file: document.file, pointer: owner.pointer + "/geometry", byteOffset: Int(node.offset),
        message: "a ring of \(node.count) positions; at most \(limits.ringVertices) are read")
    }
    var line: [Coordinate] = []
    line.reserveCapacity(node.count)
    var element = index + 1
    while element < node.end {
      if let coordinate = position(element, owner, &findings) { line.append(coordinate) }
      element = document.after(element)
    }
    return line
  }

  @inline(__always)
  private func position(_ index: Int, _ owner: Owner, _ findings: inout FindingLog) -> Coordinate? {
    let node = document.tape[index]
    if node.kind == .array, node.count >= 2, let x = document.double(at: index + 1),
      let y = document.double(at: index + 2)
    {
      let coordinate = Coordinate(longitude: x, latitude: y)
      if let transform {
        let placed = transform.apply(x: x, y: y)
        if placed.isValid { return placed }
      } else if coordinate.isValid {
        return coordinate
      }
      let isSwapped = transform == nil && abs(y) > 90 && abs(y) <= 180 && abs(x) <= 90
      findings.add(
        .error, isSwapped ? "swapped-axes" : "position-out-of-range", file: document.file,
        pointer: document.pointer(to: index), object: owner.object, action: .refused,
        isSwapped
          ? "the position looks like latitude before longitude; GeoJSON has longitude first"
          : "the position is not on the earth")
      return nil
    }
    findings.add(
      .warning, "position-unreadable", file: document.file, pointer: document.pointer(to: index),
      object: owner.object, action: .ignored, "a position needs two finite numbers")
    return nil
  }
}
