import CGEOSPeer
import CordonCore
import CordonGeometry

/// The same queries in GEOS through its C interface, in their fastest form: prepared geometries in a search tree.
/// Where the installed version has no call with two numbers, one point moves from place to place.
final class GeosPeer {
  private let context: GEOSContextHandle_t
  private var geometries: [OpaquePointer] = []
  private var prepared: [OpaquePointer] = []
  private let tree: OpaquePointer
  private let indices: UnsafeMutablePointer<Int>

  /// `nil` when GEOS rejects one of the areas.
  init?(_ areas: [GeoMultiPolygon]) {
    guard let context = GEOS_init_r(), let tree = GEOSSTRtree_create_r(context, 10) else { return nil }
    self.context = context
    self.tree = tree
    indices = .allocate(capacity: max(areas.count, 1))
    for (index, area) in areas.enumerated() {
      indices[index] = index
      guard let geometry = GeosPeer.geometry(of: area, context), let ready = GEOSPrepare_r(context, geometry) else {
        return nil
      }
      geometries.append(geometry)
      prepared.append(ready)
      GEOSSTRtree_insert_r(context, tree, geometry, indices + index)
    }
  }

  deinit {
    for geometry in prepared { GEOSPreparedGeom_destroy_r(context, geometry) }
    GEOSSTRtree_destroy_r(context, tree)
    for geometry in geometries { GEOSGeom_destroy_r(context, geometry) }
    GEOS_finish_r(context)
    indices.deallocate()
  }

  private func point(_ place: Coordinate) -> OpaquePointer? {
    GEOSGeom_createPointFromXY_r(context, place.longitude, place.latitude)
  }

  /// Whether an area or its boundary contains a place.
  func covers(_ index: Int, _ place: Coordinate) -> Bool {
    guard let point = point(place) else { return false }
    defer { GEOSGeom_destroy_r(context, point) }
    return GEOSPreparedIntersects_r(context, prepared[index], point) == 1
  }

  /// One of the areas that contain a place.
  func first(covering place: Coordinate) -> Int? {
    guard let point = point(place) else { return nil }
    defer { GEOSGeom_destroy_r(context, point) }
    var query = Query(context: context, prepared: prepared, point: point)
    withUnsafeMutablePointer(to: &query) { query in
      GEOSSTRtree_query_r(
        context, tree, point,
        { item, state in
          guard let item, let query = state?.assumingMemoryBound(to: Query.self), query.pointee.found == nil else {
            return
          }
          let index = item.assumingMemoryBound(to: Int.self).pointee
          if GEOSPreparedIntersects_r(query.pointee.context, query.pointee.prepared[index], query.pointee.point) == 1 {
            query.pointee.found = index
          }
        }, query)
    }
    return query.found
  }

  private struct Query {
    var context: GEOSContextHandle_t
    var prepared: [OpaquePointer]
    var point: OpaquePointer
    var found: Int?
  }

  private static func geometry(of area: GeoMultiPolygon, _ context: GEOSContextHandle_t) -> OpaquePointer? {
    func ring(_ ring: [Coordinate]) -> OpaquePointer? {
      guard let first = ring.first, let sequence = GEOSCoordSeq_create_r(context, UInt32(ring.count + 1), 2) else {
        return nil
      }
      for (index, vertex) in (ring + [first]).enumerated() {
        GEOSCoordSeq_setXY_r(context, sequence, UInt32(index), vertex.longitude, vertex.latitude)
      }
      return GEOSGeom_createLinearRing_r(context, sequence)
    }
    var polygons: [OpaquePointer?] = []
    for polygon in area.polygons {
      guard let shell = ring(polygon.outer) else { return nil }
      var holes = polygon.holes.map(ring)
      let count = UInt32(holes.count)
      polygons.append(
        holes.withUnsafeMutableBufferPointer {
          GEOSGeom_createPolygon_r(context, shell, $0.baseAddress, count)
        })
    }
    if polygons.count == 1 { return polygons[0] }
    let count = UInt32(polygons.count)
    return polygons.withUnsafeMutableBufferPointer {
      GEOSGeom_createCollection_r(context, Int32(GEOS_MULTIPOLYGON.rawValue), $0.baseAddress, count)
    }
  }
}
