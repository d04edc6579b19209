import CordonCore

/// How many devices of a trace are alone with a few of their own sightings.
///
/// An attacker may know that a person was at some places at some times. If exactly one device in the file was there too,
/// the attacker has found the person, however the device is called. With four sightings of hourly, antenna-wide data that were 95 % of 1.5
/// million people (de Montjoye, Hidalgo, Verleysen and Blondel 2013, "Unique in the Crowd", Scientific Reports 3:1376).
package struct TraceUniqueness: Hashable, Sendable {
  /// How close two points are one sighting.
  package var grid: SightingGrid
  /// The most times that sightings of one device are drawn.
  package var draws = 16

  /// By default squares of 50 m and intervals of ten minutes.
  package init(grid: SightingGrid = SightingGrid(cell: 50, interval: .minutes(10))) { self.grid = grid }

  /// The share of devices, 0 ... 1, that are the only one with as many random sightings of their own.
  ///
  /// Sightings of a device are different from each other, and uniformly drawn; a device that has fewer is known by all
  /// that it has. Way-points are left out, unless there is nothing else.
  /// - Parameters:
  ///   - trace: the recording whose devices are compared.
  ///   - counts: how many sightings are known, such as `[2, 4]`.
  ///   - random: draws the sightings.
  /// - Returns: a share for each of the counts; `nil` without devices.
  package func shares(
    of trace: Trace, knowing counts: [Int], using random: inout some RandomNumberGenerator
  ) throws(TraceError) -> [Double?] {
    let table = try SightingTable(trace, grid)
    return counts.map { table.share(knowing: $0, draws: draws, using: &random) }
  }
}

/// Which devices were seen in which squares and intervals.
private struct SightingTable {
  /// The sightings of each device, each once, in the order of the trace.
  private var sightings: [[Int32]] = []
  /// The same for quick look-up.
  private var sets: [Set<Int32>] = []
  /// The devices of each sighting.
  private var devices: [[Int32]] = []

  init(_ trace: Trace, _ grid: SightingGrid) throws(TraceError) {
    var numbers: [String: Int] = [:]
    var places: [SightingGrid.Sighting: Int32] = [:]
    for track in trace.movements where !track.points.isEmpty {
      let device = numbers[track.label] ?? sightings.count
      if numbers.updateValue(device, forKey: track.label) == nil {
        sightings.append([])
        sets.append([])
      }
      for point in track.points {
        for sighting in try grid.sightings(of: point) {
          let place = places[sighting] ?? Int32(devices.count)
          if places.updateValue(place, forKey: sighting) == nil { devices.append([]) }
          if sets[device].insert(place).inserted {
            sightings[device].append(place)
            devices[Int(place)].append(Int32(device))
          }
        }
      }
    }
  }

  func share(knowing count: Int, draws: Int, using random: inout some RandomNumberGenerator) -> Double? {
    guard !sightings.isEmpty else { return nil }
    // Millions of devices need no more draws for the same certainty.
    let draws = max(1, min(draws, 200_000 / sightings.count))
    var unique = 0
    for device in sightings.indices {
      var own = sightings[device]
      let known = min(count, own.count)
      for _ in 0..<draws {
        for index in 0..<known { own.swapAt(index, index + random.index(below: own.count - index)) }
        if isAlone(with: own[..<known]) { unique += 1 }
      }
    }
    return Double(unique) / Double(draws * sightings.count)
  }

  private func isAlone(with known: ArraySlice<Int32>) -> Bool {
    guard let rarest = known.min(by: { devices[Int($0)].count < devices[Int($1)].count }) else { return false }
    var found = 0
    for device in devices[Int(rarest)] where known.allSatisfy(sets[Int(device)].contains) {
      found += 1
      if found > 1 { return false }
    }
    return true
  }
}

extension RandomNumberGenerator {
  /// A whole number in 0 ..< `bound`; 0 when the bound is less than 1.
  mutating func index(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number in 0 ..< 1 with 53 random bits.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}

extension Trace {
  /// The tracks without way-points, unless there is nothing else.
  var movements: [TraceTrack] {
    let movements = tracks.filter { $0.kind != .waypoints }
    return movements.isEmpty ? tracks : movements
  }
}
