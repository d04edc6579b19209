internal import CordonCore

/// A generator of typical errors of receivers and networks in a trace, to test their effect in a replay.
package struct TraceFuzzing: Hashable, Sendable {
  /// The errors of a point. The raw value is the name in reports.
  package enum Fault: String, CaseIterable, Hashable, Sendable {
    case drop, `repeat`, swap
    case farAway = "far_away"
    case late, future
    case noAccuracy = "no_accuracy"
    case wideAccuracy = "wide_accuracy"
    case noFloor = "no_floor"
    case wrongFloor = "wrong_floor"
    case mocked, frozen
  }

  /// The share of points with an error, 0 ... 1.
  package var rate: Double
  /// The seed of all random numbers.
  package var seed: UInt64

  /// Creates a generator with a rate and a seed.
  package init(rate: Double = 0.1, seed: UInt64) {
    self.rate = rate
    self.seed = seed
  }

  /// Returns the trace with errors, and the number of each kind of error. Equal seeds give equal results.
  package func apply(to trace: Trace) -> (trace: Trace, faults: [Fault: Int]) {
    var result = trace
    var faults: [Fault: Int] = [:]
    for index in trace.tracks.indices {
      var random = RandomStream(seed: seed, stream: 0x7a, entity: UInt64(index))
      var points: [TracePoint] = []
      for point in trace.tracks[index].points {
        guard random.nextUnit() < rate else {
          points.append(point)
          continue
        }
        let fault = Fault.allCases[random.nextIndex(below: Fault.allCases.count)]
        faults[fault, default: 0] += 1
        spoil(point, with: fault, &random, &points)
      }
      result.tracks[index].points = points
    }
    return (result, faults)
  }

  private func spoil(_ point: TracePoint, with fault: Fault, _ random: inout RandomStream, _ points: inout [TracePoint])
  {
    var spoilt = point
    switch fault {
    case .drop: return
    case .repeat: points.append(point)
    case .swap:
      if let last = points.popLast() {
        points.append(point)
        spoilt = last
      }
    case .farAway:
      if case .degrees(let place) = point.place {
        spoilt.place = .degrees(
          Coordinate(
            longitude: min(max(place.longitude + random.nextUniform(in: -0.02...0.02), -180), 180),
            latitude: min(max(place.latitude + random.nextUniform(in: -0.02...0.02), -90), 90)))
      }
    case .late: spoilt.time = point.time.map { $0 - .seconds(Int64(1 + random.nextIndex(below: 600))) }
    case .future: spoilt.time = point.time.map { $0 + .seconds(Int64(1 + random.nextIndex(below: 600))) }
    case .noAccuracy: spoilt.accuracy = nil
    case .wideAccuracy: spoilt.accuracy = random.nextUniform(in: 50...500)
    case .noFloor: spoilt.floor = nil
    case .wrongFloor: spoilt.floor = FloorOrdinal((point.floor?.value ?? 0) + (random.nextUnit() < 0.5 ? 1 : -1))
    case .mocked: spoilt.isMocked = true
    case .frozen: if let last = points.last { spoilt.place = last.place }
    }
    points.append(spoilt)
  }
}
