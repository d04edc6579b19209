/// The walking distances of all walkable cells of one floor to one cell, on the raster.
///
/// Distances are whole tenths of a cell: 10 for a step along an axis, 14 for a diagonal one, and more next to a
/// barrier. They can therefore be followed exactly. The field needs two bytes per walkable cell.
package struct DistanceField: Sendable {
  /// The target cell of all distances.
  package let target: Int
  /// The distances by compact index of the walkable cell; ``unreachable`` without a way.
  package let distances: [UInt16]

  /// The distance of a cell without a way to the target, or of one that is too far for two bytes.
  static let unreachable = UInt16.max

  /// Measures a floor from `target`.
  ///
  /// Complexity: linear in the number of walkable cells.
  package init(to target: Int, on raster: WalkableRaster) {
    self.target = target
    var distances = [UInt16](repeating: DistanceField.unreachable, count: raster.walkableCells.count)
    if raster.links.indices.contains(target), raster.compactIndex[target] >= 0 {
      distances.withUnsafeMutableBufferPointer { distances in
        DistanceSearch.run(from: target, on: raster, into: distances)
      }
    }
    self.distances = distances
  }

  /// Returns the distance from `cell` to the target in tenths of a cell; `nil` if there is no way.
  package func distance(of cell: Int, on raster: WalkableRaster) -> Int? {
    guard raster.compactIndex.indices.contains(cell) else { return nil }
    let index = Int(raster.compactIndex[cell])
    guard distances.indices.contains(index), distances[index] != DistanceField.unreachable else { return nil }
    return Int(distances[index])
  }

  /// Returns the cells from `cell` to the target, both included; empty if there is no way.
  package func cells(from cell: Int, on raster: WalkableRaster) -> [Int] {
    guard var distance = distance(of: cell, on: raster) else { return [] }
    let offsets = raster.shape.offsets
    var way = [cell]
    var current = cell
    var heading = 0
    while distance > 0 {
      var found = false
      // Trying the last direction first avoids zigzags between equally short ways.
      for turn in 0..<8 {
        let direction = (heading + turn) % 8
        guard raster.links[current] & 1 << UInt8(direction) != 0 else { continue }
        let other = current + offsets[direction]
        let cost = (direction % 2 == 0 ? 10 : 14) + Int(max(raster.penalty[current], raster.penalty[other]))
        if Int(distances[Int(raster.compactIndex[other])]) == distance - cost {
          (current, heading, distance, found) = (other, direction, distance - cost, true)
          break
        }
      }
      guard found else { return [] }
      way.append(current)
    }
    return way
  }
}

/// The search for all distances to one cell: Dial's bucket version of Dijkstra's algorithm (1969).
private struct DistanceSearch {
  /// No step costs as much as the number of buckets, so a bucket never contains two distances at once.
  private static let bucketCount = 32
  private static let costs: [Int] = (0..<8).map { $0 % 2 == 0 ? 10 : 14 }

  let entries: UnsafeBufferPointer<UInt8>
  let penalty: UnsafeBufferPointer<UInt8>
  let compactIndex: UnsafeBufferPointer<Int32>
  let offsets: [Int]
  let costs = DistanceSearch.costs
  let distances: UnsafeMutableBufferPointer<UInt16>
  /// The cells that wait at a distance, by the remainder of the distance.
  var buckets = [[Int32]](repeating: [], count: DistanceSearch.bucketCount)
  var waiting = 0

  static func run(from target: Int, on raster: WalkableRaster, into distances: UnsafeMutableBufferPointer<UInt16>) {
    raster.entries.withUnsafeBufferPointer { entries in
      raster.penalty.withUnsafeBufferPointer { penalty in
        raster.compactIndex.withUnsafeBufferPointer { compactIndex in
          var search = DistanceSearch(
            entries: entries, penalty: penalty, compactIndex: compactIndex, offsets: raster.shape.offsets,
            distances: distances)
          search.run(from: target)
        }
      }
    }
  }

  private mutating func run(from target: Int) {
    distances[Int(compactIndex[target])] = 0
    buckets[0].append(Int32(target))
    waiting = 1
    var distance = 0
    while waiting > 0 && distance < Int(DistanceField.unreachable) {
      while let next = buckets[distance % DistanceSearch.bucketCount].popLast() {
        waiting -= 1
        let cell = Int(next)
        // A cell whose distance has shrunk since was handled then.
        if Int(distances[Int(compactIndex[cell])]) == distance { extend(cell, at: distance) }
      }
      distance += 1
    }
  }

  /// Improves the distances of the cells from which a person can step on a cell.
  @inline(__always)
  private mutating func extend(_ cell: Int, at distance: Int) {
    var open = entries[cell]
    while open != 0 {
      let direction = open.trailingZeroBitCount
      open &= open &- 1
      let other = cell + offsets[direction]
      let longer = distance + costs[direction] + Int(max(penalty[cell], penalty[other]))
      let index = Int(compactIndex[other])
      guard longer < Int(distances[index]) else { continue }
      distances[index] = UInt16(longer)
      buckets[longer % DistanceSearch.bucketCount].append(Int32(other))
      waiting += 1
    }
  }
}
