import CGEOS
package import CordonGeometry
import CordonNavigation

/// A failure of GEOS.
package struct GeosError: Error, Hashable, Sendable {
  /// The operation that failed.
  package var operation: String
  /// The messages of GEOS about the failure, in order.
  package var messages: [String]
}

/// The interface to GEOS. It owns the library's context and every handle, and returns only values.
///
/// A context serves one thread at a time, so create one where it is needed; this takes about a microsecond. Values are
/// passed as plane polygons, and memory that GEOS allocated is never passed on.
package final class GeosContext {
  private let context: GEOSContextHandle_t
  private let log = MessageLog()

  /// Creates a context; returns `nil` if the memory is exhausted.
  package init?() {
    // GEOS_init_r: NULL when memory is exhausted.
    guard let handle = GEOS_init_r() else { return nil }
    context = handle
    // The call returns the previous handler, and there is none. The log outlives the context.
    _ = GEOSContext_setErrorMessageHandler_r(
      handle,
      { message, log in
        guard let message, let log else { return }
        Unmanaged<MessageLog>.fromOpaque(log).takeUnretainedValue().messages.append(String(cString: message))
      }, Unmanaged.passUnretained(log).toOpaque())
  }

  deinit { GEOS_finish_r(context) }

  // MARK: - Operations

  /// Returns the union of polygons, which may overlap, touch or be disjoint.
  ///
  /// Vertices are snapped to a grid of `gridSize` metres, which closes hairline gaps between neighbours.
  func union(_ polygons: [PlanePolygon], gridSize: Double) throws(GeosError) -> [PlanePolygon] {
    let collection = try multiPolygon(of: polygons)
    // GEOSUnaryUnionPrec_r: NULL on exception.
    let united = try handle("union", GEOSUnaryUnionPrec_r(context, collection.pointer, gridSize))
    return try self.polygons(of: united)
  }

  /// Returns a valid area that covers the area of the polygons, by the structure method.
  ///
  /// Self-crossing rings are cut, holes outside their shell are dropped, and collapsed parts are removed.
  func madeValid(_ polygons: [PlanePolygon]) throws(GeosError) -> [PlanePolygon] {
    let collection = try multiPolygon(of: polygons)
    // GEOSMakeValidParams_create_r: NULL on exception.
    guard let parameters = GEOSMakeValidParams_create_r(context) else { throw failure("make valid") }
    defer { GEOSMakeValidParams_destroy_r(context, parameters) }
    // The setters return 0 on exception.
    guard GEOSMakeValidParams_setMethod_r(context, parameters, GEOS_MAKE_VALID_STRUCTURE) != 0,
      GEOSMakeValidParams_setKeepCollapsed_r(context, parameters, 0) != 0
    else { throw failure("make valid") }
    // GEOSMakeValidWithParams_r: NULL on exception.
    let valid = try handle("make valid", GEOSMakeValidWithParams_r(context, collection.pointer, parameters))
    return try self.polygons(of: valid)
  }

  /// Returns the reason why a polygon is invalid, such as `Self-intersection`; `nil` for a valid polygon.
  func invalidity(of polygon: PlanePolygon) throws(GeosError) -> String? {
    guard let geometry = try self.polygon(polygon) else { return "Too few points in geometry component" }
    var reason: UnsafeMutablePointer<CChar>?
    // GEOSisValidDetail_r: 1 valid, 0 invalid, 2 on exception. The caller frees the reason.
    let answer = GEOSisValidDetail_r(context, geometry.pointer, 0, &reason, nil)
    defer { if let reason { GEOSFree_r(context, reason) } }
    switch answer {
    case 1: return nil
    case 0: return reason.map { String(cString: $0) } ?? "not valid"
    default: throw failure("validity")
    }
  }

  /// Returns the area of polygons without their holes, in square metres.
  func area(of polygons: [PlanePolygon]) throws(GeosError) -> Double {
    let collection = try multiPolygon(of: polygons)
    var area = 0.0
    // GEOSArea_r: 1 on success, 0 on exception.
    guard GEOSArea_r(context, collection.pointer, &area) == 1 else { throw failure("area") }
    return area
  }

  /// Returns the polygons enlarged by a distance in metres; their corners are rounded coarsely.
  func grown(_ polygons: [PlanePolygon], by metres: Double) throws(GeosError) -> [PlanePolygon] {
    let collection = try multiPolygon(of: polygons)
    // GEOSBuffer_r: NULL on exception.
    return try self.polygons(of: try handle("buffer", GEOSBuffer_r(context, collection.pointer, metres, 2)))
  }

  /// Checks for each ring whether its line lies in the polygons, their boundary included.
  ///
  /// Rings may cross themselves. The result is `false` for a ring that GEOS cannot process.
  func covers(_ polygons: [PlanePolygon], rings: [[PlanePoint]]) throws(GeosError) -> [Bool] {
    let collection = try multiPolygon(of: polygons)
    // GEOSPrepare_r: NULL on exception. The polygons must outlive it, as the handle above does.
    guard let prepared = GEOSPrepare_r(context, collection.pointer) else { throw failure("preparation") }
    defer { GEOSPreparedGeom_destroy_r(context, prepared) }
    var answers: [Bool] = []
    answers.reserveCapacity(rings.count)
    for points in rings {
      guard let ring = try ring(points) else {
        answers.append(false)
        continue
      }
      // GEOSPreparedCovers_r: 1 yes, 0 no, 2 on exception.
      answers.append(GEOSPreparedCovers_r(context, prepared, ring.pointer) == 1)
    }
    log.messages.removeAll()
    return withExtendedLifetime(collection) { answers }
  }

  /// Returns the convex hull of points; empty if they lie on one line.
  func convexHull(of points: [PlanePoint]) throws(GeosError) -> [PlanePolygon] {
    let cloud = try multiPoint(of: points)
    // GEOSConvexHull_r: NULL on exception.
    return try polygons(of: try handle("convex hull", GEOSConvexHull_r(context, cloud.pointer)))
  }

  /// Returns the smallest enclosing circle of points, as a reference for our own implementation.
  package func minimumBoundingCircle(
    of points: [PlanePoint]
  ) throws(GeosError) -> (center: PlanePoint, radius: Double) {
    let cloud = try multiPoint(of: points)
    var radius = 0.0
    var center: OpaquePointer?
    // GEOSMinimumBoundingCircle_r: NULL on exception. The caller destroys the centre.
    let circle = GEOSMinimumBoundingCircle_r(context, cloud.pointer, &radius, &center)
    let point = try handle("minimum bounding circle", center)
    _ = try handle("minimum bounding circle", circle)
    var x = 0.0
    var y = 0.0
    // Both return -1 on exception.
    guard GEOSGeomGetX_r(context, point.pointer, &x) != -1, GEOSGeomGetY_r(context, point.pointer, &y) != -1 else {
      throw failure("minimum bounding circle")
    }
    return (PlanePoint(x: x, y: y), radius)
  }

  // MARK: - In

  private func polygon(_ polygon: PlanePolygon) throws(GeosError) -> Handle? {
    guard let shell = try ring(polygon.outer) else { return nil }
    var holes: [OpaquePointer?] = []
    for hole in polygon.holes {
      if let ring = try ring(hole) { holes.append(ring.release()) }
    }
    // GEOSGeom_createPolygon_r: NULL on exception. It owns the rings from here on in any case.
    let made = holes.withUnsafeMutableBufferPointer { buffer in
      GEOSGeom_createPolygon_r(context, shell.release(), buffer.baseAddress, UInt32(buffer.count))
    }
    return try handle("polygon", made)
  }

  private func ring(_ ring: [PlanePoint]) throws(GeosError) -> Handle? {
    guard ring.count >= 3, let first = ring.first else { return nil }
    let sequence = try coordinates(ring + [first])
    // GEOSGeom_createLinearRing_r: NULL on exception. It owns the sequence.
    return try handle("ring", GEOSGeom_createLinearRing_r(context, sequence))
  }

  private func multiPolygon(of polygons: [PlanePolygon]) throws(GeosError) -> Handle {
    var parts: [OpaquePointer?] = []
    for polygon in polygons {
      if let part = try self.polygon(polygon) { parts.append(part.release()) }
    }
    return try collection(&parts, type: GEOS_MULTIPOLYGON)
  }

  private func multiPoint(of points: [PlanePoint]) throws(GeosError) -> Handle {
    var parts: [OpaquePointer?] = []
    for point in points {
      // GEOSGeom_createPoint_r: NULL on exception. It owns the sequence.
      let made = try handle("point", GEOSGeom_createPoint_r(context, try coordinates([point])))
      parts.append(made.release())
    }
    return try collection(&parts, type: GEOS_MULTIPOINT)
  }

  private func collection(
    _ parts: inout [OpaquePointer?], type: GEOSGeomTypes
  ) throws(GeosError) -> Handle {
    // GEOSGeom_createCollection_r: NULL on exception. It owns the parts.
    let made = parts.withUnsafeMutableBufferPointer { buffer in
      GEOSGeom_createCollection_r(context, Int32(type.rawValue), buffer.baseAddress, UInt32(buffer.count))
    }
    return try handle("collection", made)
  }

  private func coordinates(_ points: [PlanePoint]) throws(GeosError) -> OpaquePointer {
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
      throw GeosError(operation: "coordinates", messages: ["a coordinate is not a finite number"])
    }
    let numbers = points.flatMap { [$0.x, $0.y] }
    // GEOSCoordSeq_copyFromBuffer_r: NULL on exception. It copies the numbers.
    guard let sequence = GEOSCoordSeq_copyFromBuffer_r(context, numbers, UInt32(points.count), 0, 0) else {
      throw failure("coordinates")
    }
    return sequence
  }

  // MARK: - Out

  private func polygons(of geometry: Handle) throws(GeosError) -> [PlanePolygon] {
    var found: [PlanePolygon] = []
    try collect(geometry.pointer, into: &found)
    return found.map(\.normalized).sorted { PlanePolygon.precedes($0.outer, $1.outer) }
  }

  private func collect(_ geometry: OpaquePointer, into found: inout [PlanePolygon]) throws(GeosError) {
    // GEOSGeomTypeId_r: -1 on exception.
    let type = GEOSGeomTypeId_r(context, geometry)
    switch UInt32(bitPattern: type) {
    case GEOS_POLYGON.rawValue:
      // GEOSisEmpty_r: 1 empty, 0 not empty, 2 on exception.
      guard GEOSisEmpty_r(context, geometry) == 0 else { return }
      found.append(try polygon(at: geometry))
    case GEOS_MULTIPOLYGON.rawValue, GEOS_GEOMETRYCOLLECTION.rawValue:
      // GEOSGetNumGeometries_r: -1 on exception.
      let count = GEOSGetNumGeometries_r(context, geometry)
      guard count >= 0 else { throw failure("parts") }
      for index in 0..<count {
        // GEOSGetGeometryN_r: NULL on exception. The collection owns the part.
        guard let part = GEOSGetGeometryN_r(context, geometry, index) else { throw failure("parts") }
        try collect(part, into: &found)
      }
    default: return
    }
  }

  private func polygon(at geometry: OpaquePointer) throws(GeosError) -> PlanePolygon {
    // GEOSGetExteriorRing_r: NULL on exception. The polygon owns the ring.
    guard let shell = GEOSGetExteriorRing_r(context, geometry) else { throw failure("exterior ring") }
    // GEOSGetNumInteriorRings_r: -1 on exception.
    let count = GEOSGetNumInteriorRings_r(context, geometry)
    guard count >= 0 else { throw failure("interior rings") }
    var holes: [[PlanePoint]] = []
    for index in 0..<count {
      // GEOSGetInteriorRingN_r: NULL on exception. The polygon owns the ring.
      guard let hole = GEOSGetInteriorRingN_r(context, geometry, index) else { throw failure("interior rings") }
      holes.append(try points(of: hole))
    }
    return PlanePolygon(outer: try points(of: shell), holes: holes)
  }

  private func points(of ring: OpaquePointer) throws(GeosError) -> [PlanePoint] {
    // GEOSGeomGetNumPoints_r: -1 on exception. GEOSGeom_getCoordSeq_r: NULL on exception; the ring owns the sequence.
    let count = Int(GEOSGeomGetNumPoints_r(context, ring))
    guard count >= 0, let sequence = GEOSGeom_getCoordSeq_r(context, ring) else { throw failure("coordinates") }
    var numbers = [Double](repeating: 0, count: 2 * count)
    // GEOSCoordSeq_copyToBuffer_r: 0 on exception.
    guard GEOSCoordSeq_copyToBuffer_r(context, sequence, &numbers, 0, 0) != 0 else { throw failure("coordinates") }
    // The last point repeats the first.
    return (0..<max(count - 1, 0)).map { PlanePoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
  }

  // MARK: - Handles

  private func handle(_ operation: String, _ pointer: OpaquePointer?) throws(GeosError) -> Handle {
    guard let pointer else { throw failure(operation) }
    return Handle(pointer, context: context)
  }

  private func failure(_ operation: String) -> GeosError {
    defer { log.messages.removeAll() }
    return GeosError(operation: operation, messages: log.messages)
  }

  /// An owned geometry. It never outlives the context, because handles are local variables of the context's methods.
  private final class Handle {
    private(set) var pointer: OpaquePointer
    private let context: GEOSContextHandle_t
    private var isOwned = true

    init(_ pointer: OpaquePointer, context: GEOSContextHandle_t) {
      self.pointer = pointer
      self.context = context
    }

    /// Transfers the geometry to a function of GEOS that takes ownership.
    func release() -> OpaquePointer {
      isOwned = false
      return pointer
    }

    deinit { if isOwned { GEOSGeom_destroy_r(context, pointer) } }
  }

  private final class MessageLog {
    var messages: [String] = []
  }
}
