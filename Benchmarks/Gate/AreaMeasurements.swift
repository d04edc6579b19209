import CordonCore
import CordonGeometry
import Foundation
import Measuring

/// Gates and space indexes on the 410-albert sample.
struct AreaMeasurements {
  var table: Table

  mutating func measureGate(_ name: String, _ area: GeoMultiPolygon, limits: (Double, Double)?) {
    guard let bounds = area.bounds else { return }
    let places = positions(in: bounds, factor: 1.2, count: 1_000_000, seed: 5)
    table.add(
      "\(name): build", measure { _ = Gate(area) }, per: 1e-3, unit: "ms", note: "\(area.vertices.count) vertices")
    let gate = Gate(area)
    var hits = 0
    let single = measure {
      hits = 0
      for place in places { hits &+= gate.contains(place) ? 1 : 0 }
    }
    table.add("\(name): one by one", single, per: 1e-3, unit: "ns", limit: limits?.0, note: "\(hits) of 1000000 inside")
    var answers = [Bool](repeating: false, count: places.count)
    let batch = measure {
      places.withUnsafeBufferPointer { places in
        answers.withUnsafeMutableBufferPointer { gate.contains(places, into: $0) }
      }
    }
    let inside = answers.count { $0 }
    table.add("\(name): batch", batch, per: 1e-3, unit: "ns", limit: limits?.1, note: "\(inside) of 1000000 inside")
    guard let peer = GeosPeer([area]) else { return }
    let few = places.prefix(100_000)
    let prepared = measure(runs: 5) {
      hits = 0
      for place in few { hits &+= peer.covers(0, place) ? 1 : 0 }
    }
    let ours = few.count { gate.contains($0) }
    table.add(
      "\(name): GEOS, prepared", prepared, per: 1e-4, unit: "ns",
      note: "\(hits) of 100000 inside; \(ours) by the gate")
  }

  mutating func measureSpaces(_ name: String, _ outlines: [GeoMultiPolygon], box: GeoBounds, limit: Double) {
    let places = positions(in: box, factor: 1.2, count: 1_000_000, seed: 5)
    table.add(
      "\(name): build", measure { _ = SpaceIndex(outlines) }, per: 1e-3, unit: "ms", note: "\(outlines.count) spaces")
    let index = SpaceIndex(outlines)
    var hits = 0
    let single = measure {
      hits = 0
      for place in places { hits &+= index.space(at: place) == nil ? 0 : 1 }
    }
    table.add("\(name): one by one", single, per: 1e-3, unit: "ns", limit: limit, note: "\(hits) of 1000000 in a space")
    guard let peer = GeosPeer(outlines) else { return }
    let few = places.prefix(100_000)
    let tree = measure(runs: 5) {
      hits = 0
      for place in few { hits &+= peer.first(covering: place) == nil ? 0 : 1 }
    }
    let ours = few.count { index.space(at: $0) != nil }
    table.add(
      "\(name): GEOS, STRtree and prepared", tree, per: 1e-4, unit: "ns",
      note: "\(hits) of 100000 in a space; \(ours) by the index")
  }

  mutating func run() throws {
    let albert = SampleVenue.venues.appendingPathComponent("410-albert-mvf1")
    let building = GeoMultiPolygon(
      try SampleVenue.polygons(in: albert.appendingPathComponent("building.geojson")).flatMap(\.polygons))
    measureGate("gate, 410-albert", building, limits: (7, 3))
    if let bounds = building.bounds {
      // Twelve parts in place of the building, with 80 holes among them, in the same box.
      let (width, height) = (bounds.east - bounds.west, bounds.north - bounds.south)
      let parts = (0..<12).map { part in
        let x = bounds.west + width * (0.125 + 0.25 * Double(part % 4))
        let y = bounds.south + height * (1.0 / 6 + 1.0 / 3 * Double(part / 4))
        let holes = (0..<(part < 8 ? 7 : 6)).map { hole in
          ring(
            x + width * 0.07 * PortableMath.cos(Double(hole)), y + height * 0.1 * PortableMath.sin(Double(hole)),
            width * 0.012, 8)
        }
        return GeoPolygon(outer: ring(x, y, width * 0.12, 24), holes: holes)
      }
      measureGate("gate, 12 parts and 80 holes", GeoMultiPolygon(parts), limits: nil)
      let spaces = try SampleVenue.polygons(
        in: albert.appendingPathComponent("space/5aba4ccf0042d53209000000.geojson"))
      measureSpaces("spaces, 410-albert", spaces, box: bounds, limit: 15)
      // 18 x 16 rooms with uneven walls that cover the whole box.
      func corner(_ i: Int, _ j: Int) -> Coordinate {
        let wobbleX = i == 0 || i == 18 ? 0 : 0.2 * PortableMath.sin(Double(i * 7 + j * 3))
        let wobbleY = j == 0 || j == 16 ? 0 : 0.2 * PortableMath.cos(Double(i * 5 + j * 11))
        return Coordinate(
          longitude: bounds.west + width * (Double(i) + wobbleX) / 18,
          latitude: bounds.south + height * (Double(j) + wobbleY) / 16)
      }
      var rooms: [GeoMultiPolygon] = []
      for i in 0..<18 {
        for j in 0..<16 {
          rooms.append(
            GeoMultiPolygon([
              GeoPolygon(outer: [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)])
            ]))
        }
      }
      try measurePacked(building, spaces)
      measureSpaces("spaces, covered plan", rooms, box: bounds, limit: 30)
    }
  }
}

func ring(_ x: Double, _ y: Double, _ radius: Double, _ count: Int) -> [Coordinate] {
  (0..<count).map { index in
    let angle = 2 * Double.pi * Double(index) / Double(count)
    return Coordinate(
      longitude: x + radius * PortableMath.cos(angle), latitude: y + radius * 0.73 * PortableMath.sin(angle))
  }
}
