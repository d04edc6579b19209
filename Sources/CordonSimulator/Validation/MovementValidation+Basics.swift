import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation

extension MovementValidation {
  private typealias Floors = ValidationFloors

  /// Returns the time that one person takes for a straight way, in seconds.
  private func walkAlone(speed: Double, pace: Double, length: Double) -> Double {
    let crowd = crowd(Floors.hall(length + 5, 2), people: 1)
    crowd.place(0, at: Floors.point(1, 1), freeSpeed: speed)
    crowd.send(0, along: crowd.add(way: [.point(Floors.point(1 + length, 1), radius: 0.01, pace: pace)]))
    return walk(crowd, for: 600) { _ in !crowd.arrived.isEmpty }
  }

  /// RiMEA 1: one person walks 40 m along a corridor at a free speed of 1.33 m/s.
  package func corridor() -> [MovementCase] {
    let seconds = walkAlone(speed: 1.33, pace: 1, length: 40)
    return [
      MovementCase(
        "rimea-1", "One person, a corridor of 40 m at 1.33 m/s", value: seconds, unit: "s",
        band: 29.77...(30.38 + step), note: "RiMEA asks for 26 to 34 s; this is 1 %")
    ]
  }

  /// RiMEA 2 and 3: one person walks up, and then down, a stair of 10 m.
  package func stairs() -> [MovementCase] {
    [("rimea-2", "up", StairPace.up), ("rimea-3", "down", StairPace.down)].map { id, way, pace in
      let speed = 10 / walkAlone(speed: 1.34, pace: pace, length: 10)
      let wanted = 1.34 * pace
      return MovementCase(
        id, "One person \(way) a stair of 10 m", value: speed, unit: "m/s", band: (wanted * 0.98)...(wanted * 1.02),
        note: "the speed assigned, 2 %")
    }
  }

  /// RiMEA 5: ten people start at the times assigned to them.
  package func startTimes() -> [MovementCase] {
    let crowd = crowd(Floors.hall(8, 5), people: 10)
    let way = crowd.add(way: [.point(Floors.point(7.5, 2.5), radius: 0.3)])
    for person in 0..<10 {
      crowd.place(person, at: Floors.point(1, 0.3 + 0.45 * Double(person)), freeSpeed: 1.34)
    }
    var started = [Double?](repeating: nil, count: 10)
    var sent = 0
    _ = walk(crowd, for: 101) { time in
      for person in 0..<10 where started[person] == nil && crowd.position(of: person).x > 1.0001 {
        started[person] = time - step
      }
      while sent < 10, time >= 10 * Double(sent + 1) - 1e-9 {
        crowd.send(sent, along: way)
        sent += 1
      }
      for person in crowd.arrived { crowd.remove(person) }
      return false
    }
    let worst = started.enumerated().map { abs(($0.element ?? .infinity) - 10 * Double($0.offset + 1)) }.max()
    return [
      MovementCase(
        "rimea-5", "Ten people start 10, 20 ... 100 s after the alarm: the largest delay", value: worst ?? .infinity,
        unit: "s", band: 0...(step + 1e-6), note: "exact to one step")
    ]
  }

  /// RiMEA 6: twenty people turn the corner of two corridors that are 2 m wide.
  package func leftCorner() -> [MovementCase] {
    let floor = PlanePolygon(
      outer: [(0, 0), (12, 0), (12, 12), (10, 12), (10, 2), (0, 2)].map { Floors.point($0.0, $0.1) })
    let crowd = crowd(floor.edges, people: 20)
    let graph = WayGraph(
      nodes: [.destination(Floors.point(11, 11.5))] + floor.corners(standOff: 0.5).map(WayGraph.Node.corner),
      barriers: SegmentGrid(floor.edges))
    var random = random(6)
    for person in 0..<20 {
      let start = Floors.point(0.4 + 0.6 * Double(person / 4), 0.35 + 0.43 * Double(person % 4))
      crowd.place(person, at: start, freeSpeed: FreeSpeeds.random(&random))
      send(person, of: crowd, over: graph, radius: 0.5)
    }
    var there = 0
    _ = walk(crowd, for: 120) { _ in
      there += crowd.arrived.count
      for person in crowd.arrived { crowd.remove(person) }
      return there == 20
    }
    return [
      MovementCase(
        "rimea-6", "Twenty people around a corner: people who arrive", value: Double(there), band: 20...20,
        note: crowd.walkers.map { "\(crowd.position(of: Int($0)))" }.joined(separator: " ")),
      MovementCase(
        "rimea-6-clean", "the same: steps into walls and overlaps of bodies",
        value: Double(crowd.figures.wallCrossings + crowd.figures.overlaps), band: 0...0),
    ]
  }

  /// RiMEA 7: the walked speeds of 50 people of each age group lie in the group's band.
  package func ages() -> [MovementCase] {
    FreeSpeeds.Group.allCases.map { group in
      var random = random(7)
      let crowd = crowd(Floors.hall(45, 200), people: 50)
      for person in 0..<50 {
        let y = 2 + 4.0 * Double(person)
        crowd.place(person, at: Floors.point(1, y), freeSpeed: FreeSpeeds.random(of: group, &random))
        crowd.send(person, along: crowd.add(way: [.point(Floors.point(44, y), radius: 0.1)]))
      }
      _ = walk(crowd, for: 20) { $0 > 19.999 }
      let speeds = (0..<50).map { (crowd.position(of: $0).x - 1) / 20 }
      let outside = speeds.count { !group.band.contains($0 + 1e-6) && !group.band.contains($0 - 1e-6) }
      return MovementCase(
        "rimea-7-\(group.rawValue)",
        "Walked speeds of the group '\(group.rawValue)': people outside Weidmann's \(group.band.lowerBound) to \(group.band.upperBound) m/s",
        value: Double(outside), band: 0...0)
    }
  }

  /// The mean and the standard deviation of random free speeds agree with the distribution.
  package func freeSpeeds() -> [MovementCase] {
    var random = random(20)
    let speeds = (0..<20_000).map { _ in FreeSpeeds.random(&random) }
    let mean = speeds.reduce(0, +) / Double(speeds.count)
    let variance = speeds.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(speeds.count)
    return [
      MovementCase("free-speed-mean", "Free speeds: mean", value: mean, unit: "m/s", band: 1.33...1.35),
      MovementCase(
        "free-speed-spread", "Free speeds: standard deviation", value: variance.squareRoot(), unit: "m/s",
        band: 0.25...0.27),
    ]
  }
}

/// Factors of the free speed on stairs, measured in plan.
///
/// They give 0.61 and 0.69 m/s for a free speed of 1.34 m/s (Weidmann 1993).
package enum StairPace {
  /// The factor upwards.
  package static let up = 0.455
  /// The factor downwards.
  package static let down = 0.515
}
