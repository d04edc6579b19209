import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

/// The fast check whether an outline contains the rooms is never positive where dissolving them is negative.
struct RoomCoverTests {
  private func agrees(_ venue: Venue, _ area: GeoMultiPolygon) throws -> Bool? {
    let rooms = venue.polygons(for: .spaces)
    guard let dissolved = try venue.dissolve(groups: [area.polygons]) else { return nil }
    guard RoomCover.isPlain(dissolved.area, over: rooms.joined()) else { return nil }
    return try venue.overlap(dissolved, rooms)
  }

  /// Checks every outline of the map, and each moved aside, shrunk and turned into a ring; returns the number of
  /// positive fast checks.
  private func check(_ venue: Venue) throws -> Int {
    var yes = 0
    for source in [BoundarySource.buildings, .floors, .venue, .spaces] {
      guard let whole = try venue.dissolve(groups: venue.polygons(for: source))?.area,
        let frame = LocalFrame(around: whole.vertices)
      else { continue }
      var areas = [whole]
      for part in [0.2, 0.5, 0.6, 0.9, 0.98, 0.999] {
        areas.append(Self.changed(whole) { frame.scaled($0, by: part) })
        areas.append(Self.changed(whole) { frame.moved($0, by: 40 * (1 - part)) })
        areas.append(
          GeoMultiPolygon(
            whole.polygons.map {
              GeoPolygon(outer: $0.outer, holes: [$0.outer.map { frame.scaled($0, by: part) }])
            }))
      }
      for area in areas {
        guard let answer = try agrees(venue, area) else { continue }
        #expect(answer, "\(source.rawValue) of \(venue.id.rawValue)")
        yes += 1
      }
    }
    return yes
  }

  private static func changed(_ area: GeoMultiPolygon, _ change: (Coordinate) -> Coordinate) -> GeoMultiPolygon {
    GeoMultiPolygon(
      area.polygons.map { GeoPolygon(outer: $0.outer.map(change), holes: $0.holes.map { $0.map(change) }) })
  }

  @Test(arguments: VenueGenerator.Kind.allCases)
  func generatedVenuesAgree(kind: VenueGenerator.Kind) throws {
    for seed in UInt64(1)...3 {
      let venue = try VenueGenerator.generate(kind: kind, floors: 2, area: 3_000, seed: seed)
      #expect(try check(venue) > 0, "the quick look is of no use, seed \(seed)")
    }
  }

  @Test(
    .enabled(if: SampleVenues.isPresent, "the public bundles are not beside the package"),
    arguments: [
      SampleVenues.albert, SampleVenues.school, SampleVenues.office, SampleVenues.gare, SampleVenues.westport,
    ])
  func publicBundlesAgree(path: String) throws {
    _ = try check(try VenueLoader.load(path: path).venue)
  }

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> GeoPolygon {
    BoundaryTests.box(x, y, width, height)
  }

  @Test func roomsSharingTheOutlineAreCovered() {
    let rooms = (0..<10).flatMap { x in (0..<5).map { y in box(Double(x) * 4, Double(y) * 4, 4, 4) } }
    #expect(RoomCover.isPlain(GeoMultiPolygon([box(0, 0, 40, 20)]), over: rooms))
    // A closet that lies wholly outside is small beside the rooms.
    let closet = box(40, 0, 1, 1)
    #expect(RoomCover.isPlain(GeoMultiPolygon([box(0, 0, 40, 20)]), over: rooms + [closet]))
  }

  @Test func complexRoomsAreLeftToTheUnion() {
    let hall = box(0, 0, 100, 80)
    // Half of the hall.
    #expect(!RoomCover.isPlain(GeoMultiPolygon([box(0, 0, 50, 80)]), over: [hall]))
    // The line of the hall lies in the area, the hall itself in its hole.
    let ring = GeoPolygon(outer: box(-1, -1, 102, 82).outer, holes: [box(1, 1, 98, 78).outer])
    #expect(!RoomCover.isPlain(GeoMultiPolygon([ring]), over: [hall]))
    // Many small rooms outside weigh as much as the one inside.
    let small = (0..<50).map { box(200 + Double($0) * 11, 0, 10, 10) }
    #expect(!RoomCover.isPlain(GeoMultiPolygon([box(-5, -5, 110, 90)]), over: [hall] + small))
    // A bow-tie has no usable area, and without rooms there is nothing to contain.
    let tie = GeoPolygon(outer: [hall.outer[0], hall.outer[1], hall.outer[3], hall.outer[2]])
    #expect(!RoomCover.isPlain(GeoMultiPolygon([hall]), over: [tie]))
    #expect(!RoomCover.isPlain(GeoMultiPolygon([hall]), over: [GeoPolygon]()))
  }
}

extension LocalFrame {
  fileprivate func scaled(_ place: Coordinate, by factor: Double) -> Coordinate {
    let point = project(place)
    return unproject(PlanePoint(x: point.x * factor, y: point.y * factor))
  }

  fileprivate func moved(_ place: Coordinate, by metres: Double) -> Coordinate {
    let point = project(place)
    return unproject(PlanePoint(x: point.x + metres, y: point.y))
  }
}
