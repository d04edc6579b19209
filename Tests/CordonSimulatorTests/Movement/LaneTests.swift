import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Lanes")
struct LaneTests {
  static let models: [CrowdModel] = [
    .collisionFreeSpeed(CollisionFreeSpeed()), .anticipationVelocity(AnticipationVelocity()),
  ]
  private static let width = 2.2

  private static func settings(_ model: CrowdModel = models[0], side: LaneSettings.Side = .right) -> CrowdSettings {
    var settings = CrowdSettings(model: model)
    settings.lanes?.side = side
    return settings
  }

  /// A corridor 40 m long, with a gap in its southern wall if `gap` is not `nil`, and a room behind the gap.
  private static func walls(gap: ClosedRange<Double>? = nil) -> [PlaneSegment] {
    var corners: [(Double, Double)] = [(0, 0)]
    if let gap {
      corners += [(gap.lowerBound, 0), (gap.lowerBound, -3), (gap.upperBound, -3), (gap.upperBound, 0)]
    }
    corners += [(40, 0), (40, width), (0, width)]
    return PlanePolygon(outer: corners.map { PlanePoint(x: $0.0, y: $0.1) }).edges
  }

  /// Walks people along the corridor from the middle of its beginning, one after the other, and returns the distances of
  /// each from the southern wall between two points of the way.
  private static func offsets(
    _ settings: CrowdSettings, people: Int, between: ClosedRange<Double>, gap: ClosedRange<Double>? = nil,
    isThreshold: Bool = true
  ) -> [(preference: Double, offsets: [Double])] {
    let line = gap.map { PlaneSegment(PlanePoint(x: $0.lowerBound, y: 0), PlanePoint(x: $0.upperBound, y: 0)) }
    let crowd = PedestrianCrowd(
      walls: walls(gap: gap), people: people, thresholds: isThreshold ? [line].compactMap { $0 } : [],
      settings: settings, seed: 4)
    let way = crowd.add(way: [.point(PlanePoint(x: 39, y: width / 2), radius: 0.3)])
    return (0..<people).map { person in
      crowd.place(person, at: PlanePoint(x: 1, y: width / 2), freeSpeed: 1.34)
      crowd.send(person, along: way)
      var offsets: [Double] = []
      for _ in 0..<400 {
        crowd.step(seconds: 0.1)
        let point = crowd.position(of: person)
        if between.contains(point.x) { offsets.append(point.y) }
        if !crowd.arrived.isEmpty { break }
      }
      crowd.remove(person)
      return (crowd.preference(of: person), offsets)
    }
  }

  @Test func peopleKeepTheirOwnLane() throws {
    let margin = LaneSettings().wallMargin
    let walked = Self.offsets(Self.settings(), people: 20, between: 14...28)
    for (preference, offsets) in walked {
      let place = margin + preference * (Self.width - 2 * margin)
      #expect(!offsets.isEmpty && offsets.allSatisfy { abs($0 - place) < 0.06 }, "\(place) \(offsets)")
    }
    let preferences = walked.map(\.preference)
    #expect(try #require(preferences.min()) < 0.2 && #require(preferences.max()) > 0.8)
    // Without lanes everybody walks straight.
    var settings = Self.settings()
    settings.lanes = nil
    #expect(
      Self.offsets(settings, people: 3, between: 14...28).allSatisfy { $0.offsets.allSatisfy { abs($0 - 1.1) < 1e-6 } })
  }

  /// A lane continues beside a doorway, where one of the walls is missing.
  @Test func doorwaysDoNotInterruptLanes() {
    func bend(_ walked: [(preference: Double, offsets: [Double])]) -> Double {
      walked.map { ($0.offsets.max() ?? 9) - ($0.offsets.min() ?? 0) }.max() ?? 9
    }
    let gap = 19.0...23.0
    #expect(bend(Self.offsets(Self.settings(), people: 6, between: 17...25, gap: gap)) < 0.06)
    #expect(bend(Self.offsets(Self.settings(), people: 6, between: 17...25, gap: gap, isThreshold: false)) > 0.1)
  }

  /// People who meet pass each other on the chosen side.
  @Test(arguments: models)
  func peopleWhoMeetKeepToOneSide(model: CrowdModel) {
    func share(_ settings: CrowdSettings) -> Double {
      MovementValidation(settings: settings, step: 0.1, seeds: [1]).twoWay(seed: 1).offsets.rightShare
    }
    #expect(share(Self.settings(model)) > 0.85)
    #expect(share(Self.settings(model, side: .left)) < 0.15)
  }

  /// The middle of a pair keeps the lane, and both keep off the walls.
  @Test func pairsKeepOneLane() {
    let crowd = PedestrianCrowd(walls: Self.walls(), people: 2, settings: Self.settings(), seed: 4)
    let way = crowd.add(way: [.point(PlanePoint(x: 39, y: 0.4), radius: 0.6)])
    crowd.join(0, 1)
    for person in 0..<2 {
      crowd.place(person, at: PlanePoint(x: 1, y: 0.3 + 0.6 * Double(person)), freeSpeed: 1.3)
      crowd.send(person, along: way)
    }
    #expect(crowd.preference(of: 0) == crowd.preference(of: 1))
    for _ in 0..<160 { crowd.step(seconds: 0.1) }
    let (a, b) = (crowd.position(of: 0), crowd.position(of: 1))
    let margin = LaneSettings().wallMargin + 0.3
    let place = margin + crowd.preference(of: 0) * (Self.width - 2 * margin)
    #expect(abs((a.y + b.y) / 2 - place) < 0.1 && abs(a.y - b.y) > 0.45, "\(a) \(b) \(place)")
  }

  /// Ways turn corners at a distance from the inner wall, and the two directions apart from each other.
  @Test func cornersAreNotHugged() throws {
    let world = try BuildingWalkTests.world(.office, floors: 1)
    let plane = FloorPlane(world)
    let navigation = world.routes.navigation
    let lanes = LaneSettings()
    let exit = world.entrances[0].place
    var (corners, moved, apart, off) = (0, 0, 0, 0)
    for destination in world.destinations where destination.anchor.floor == exit.floor {
      for isOutbound in [true, false] {
        let (from, to) = isOutbound ? (destination.anchor, exit) : (exit, destination.anchor)
        guard let legs = navigation.route(from: from, to: to, along: navigation.field(to: to)), legs.count == 1,
          case .walk(let floor, let points) = legs[0]
        else { continue }
        let marks = plane.marks(along: points, floor: floor, radius: 0.1)
        let start = plane.plane(points[0], floor: floor)
        let right = plane.rounded(marks, from: start, floor: floor, lanes: lanes, preference: 0)
        let left = plane.rounded(marks, from: start, floor: floor, lanes: lanes, preference: 1)
        #expect(right.count == marks.count)
        for index in marks.indices.dropLast() where !marks[index].isDoor {
          corners += 1
          func wall(_ mark: CrowdWaypoint) -> Double {
            navigation.floors[floor].barriers.distance(to: plane.local(mark.middle, floor: floor), limit: 3)
          }
          for mark in [left[index], right[index]] where mark != marks[index] {
            moved += 1
            if wall(mark) > max(wall(marks[index]), 0.45) { off += 1 }
          }
          if PlanePoint.distance(left[index].middle, right[index].middle) > 0.3 { apart += 1 }
        }
        #expect(right.last == marks.last && zip(right, marks).allSatisfy { !$0.1.isDoor || $0.0 == $0.1 })
      }
    }
    #expect(corners > 10 && moved * 2 > corners && apart * 3 > corners, "\(corners) \(moved) \(apart)")
    #expect(off * 10 >= moved * 9, "\(off) of \(moved)")
  }

  /// In a building, the walls of corridors attract nobody.
  @Test func corridorsOfABuildingAreUsedEvenly() throws {
    var validation = MovementValidation(settings: Self.settings(), step: 0.1, seeds: [1], scale: 0.25)
    let with = try #require(validation.officeCorridors())
    validation.settings.lanes = nil
    let without = try #require(validation.officeCorridors())
    #expect(with.seconds > 300)
    #expect(with.share(within: 0.4) < with.evenShare(within: 0.4) + 0.05)
    #expect(without.share(within: 0.4) > with.share(within: 0.4) + 0.1)
  }

  /// Places are spread evenly over the width.
  @Test func preferencesAreSpread() {
    let places = (0..<4_000).map { LaneSettings.preference(of: $0, seed: 9) }.sorted()
    #expect(places[0] >= 0 && places[3_999] <= 1)
    #expect(abs(places[2_000] - 0.5) < 0.03)
    #expect(abs(places.count { $0 < 0.25 } - 1_000) < 90)
    let lanes = LaneSettings()
    #expect(lanes.keeping(1, share: 0.5) == 0.5 && lanes.keeping(0, share: 0.5) == 0)
  }
}
