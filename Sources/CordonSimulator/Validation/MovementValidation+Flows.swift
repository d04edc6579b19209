import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation

extension MovementValidation {
  private typealias Floors = ValidationFloors

  /// The flow of a door: 1.9 persons per second and metre of width (Seyfried and others 2009).
  package static let doorFlow = 1.9

  static let doorWidths = [0.8, 1.0, 1.2, 1.6, 2.0]
  static let twoWayWidths = [0.8, 0.9, 1.2]
  static let densityLevels = [0.5, 1, 2, 3]

  /// Returns the flows of one crowd for each width and seed.
  private func flows(
    _ widths: [Double], _ walk: (_ width: Double, _ seed: UInt64) -> DoorFlow
  ) -> [(width: Double, runs: [DoorFlow])] {
    let count = Double(max(widths.count * seeds.count, 1))
    return widths.enumerated().map { place, width in
      let runs = seeds.enumerated().map { index, seed in
        onShare(Double(place * seeds.count + index) / count)
        return walk(width, seed)
      }
      return (width, runs)
    }
  }

  /// Doors of 0.8 to 2 m reach the measured flow, as a mean over all seeds, and no crowd jams.
  package func doors() -> [MovementCase] {
    flows(Self.doorWidths) {
      DoorFlow.oneWay(width: $0, settings: settings, step: step, seed: $1, isInterrupted: isInterrupted)
    }.flatMap { width, runs -> [MovementCase] in
      let mean = runs.reduce(0) { $0 + $1.flow } / Double(max(runs.count, 1))
      let wanted = Self.doorFlow * width
      return [
        MovementCase(
          "door-\(width)", "A door of \(width) m: people a second, the mean of \(runs.count) crowds", value: mean,
          unit: "1/s", band: (wanted * 0.85)...(wanted * 1.15), note: "1.9 a second and metre, 15 %"),
        MovementCase(
          "door-\(width)-jams", "the same: crowds that jam for good", value: Double(runs.count { $0.isJammed }),
          band: 0...0),
      ]
    }
  }

  /// No crowd jams at doors with people in both directions.
  package func twoWayDoors() -> [MovementCase] {
    flows(Self.twoWayWidths) {
      DoorFlow.twoWay(width: $0, settings: settings, step: step, seed: $1, isInterrupted: isInterrupted)
    }.map { width, runs in
      MovementCase(
        "two-way-\(width)", "A door of \(width) m, 40 people each way: crowds of \(runs.count) that jam for good",
        value: Double(runs.count { $0.isJammed }), band: 0...0)
    }
  }

  /// Mean speeds at 0.5 to 3 people per square metre agree with Weidmann's curve.
  package func densities() -> [MovementCase] {
    Self.densityLevels.enumerated().map { index, density in
      onShare(Double(index) / Double(Self.densityLevels.count))
      let speed = speed(atDensity: density)
      let wanted = FreeSpeeds.weidmann(density: density)
      return MovementCase(
        "rimea-4-\(density)", "A corridor with \(density) people per square metre: mean speed", value: speed,
        unit: "m/s", band: max(0, wanted - 0.15)...(wanted + 0.15), note: "Weidmann's curve, 0.15 m/s")
    }
  }

  /// Returns the mean speed of people in a ring-shaped corridor 2 m wide, along the ring, in metres per second.
  ///
  /// A ring has no ends, so the density stays constant.
  /// - Parameters:
  ///   - density: people per square metre.
  ///   - seconds: the duration of the measurement, after 10 s without measurement.
  package func speed(atDensity density: Double, seconds: Double = 30) -> Double {
    let radius = 9.0
    let corners = 48
    func ring(_ radius: Double) -> [PlanePoint] {
      (0..<corners).map { corner in
        let (sine, cosine) = PortableMath.sincos(2 * Double.pi * Double(corner) / Double(corners))
        return PlanePoint(x: radius * cosine, y: radius * sine)
      }
    }
    let (inner, outer) = (ring(radius - 1), ring(radius + 1))
    let floor = PlanePolygon(outer: outer, holes: [inner])
    let people = Int(density * floor.area)
    let crowd = crowd(floor.edges, people: people)
    // The lines cross the corridor, for eight rounds. Counter-clockwise walkers cross them from right to left.
    let lap = (0..<24).map { index in
      CrowdWaypoint.line(PlaneSegment(outer[index * 2], inner[index * 2]), toLeft: false)
    }
    var random = random(4, seed: seeds.first ?? 1)
    let way = crowd.add(way: (0..<8).flatMap { _ in lap })
    // People start in rows of four, evenly distributed along the ring.
    let rows = (people + 3) / 4
    for person in 0..<people {
      let (row, column) = (person / 4, person % 4)
      let angle = 2 * Double.pi * Double(row) / Double(rows)
      let (sine, cosine) = PortableMath.sincos(angle)
      let r = radius - 0.72 + 0.48 * Double(column)
      crowd.place(person, at: PlanePoint(x: r * cosine, y: r * sine), freeSpeed: FreeSpeeds.random(&random))
      let next = (Int(Double(row) / Double(rows) * 24) + 1) % 24
      crowd.send(person, along: (way.lowerBound + next)..<way.upperBound)
    }
    var last = (0..<people).map { crowd.position(of: $0) }
    var length = 0.0
    _ = walk(crowd, for: 10 + seconds) { time in
      for person in 0..<people {
        let here = crowd.position(of: person)
        if time > 10 {
          // The distance along the ring, at the radius of the person's position.
          let r = max((here.x * here.x + here.y * here.y).squareRoot(), 1e-6)
          length += ((here.y - last[person].y) * here.x - (here.x - last[person].x) * here.y) / r
        }
        last[person] = here
      }
      return false
    }
    return length / seconds / Double(max(people, 1))
  }
}
