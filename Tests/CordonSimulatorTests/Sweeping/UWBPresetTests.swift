import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonSimulator

/// Derives the error of ultra-wideband from a measurement, which lies beside the checkout: a walking person's tag and the
/// same person in a stereo camera. docs/records/validation.md has the figures.
@Suite("Ultra-wideband against a camera")
struct UWBPresetTests {
  private static let folder = Places.realData.appendingPathComponent("sdu-xovis-uwb")

  private struct Pair {
    var time: Double
    var camera: (x: Double, y: Double)
    var tag: (x: Double, y: Double)
  }

  /// The positions of the tag with the camera's at a later time: the tag's filter delays it.
  private func pairs(delay: Double) throws -> [Pair] {
    func lines(_ name: String) throws -> [[String]] {
      try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8).split(
        whereSeparator: \.isNewline
      )
      .dropFirst().map { $0.split(separator: ";", omittingEmptySubsequences: false).map(String.init) }
    }
    // The three tracks in which the camera saw the person with the tag.
    let tracks = ["27966", "27977", "27984"]
    var camera: [String: [(time: Double, x: Double, y: Double)]] = [:]
    for line in try lines("raw_xovis.csv") where tracks.contains(line[2]) {
      guard let time = Double(line[1]), let x = Double(line[3]), let y = Double(line[4]) else { continue }
      camera[line[2], default: []].append((time / 1_000, x, y))
    }
    var pairs: [Pair] = []
    for line in try lines("raw_uwbtags.csv") {
      // Local summer time, two hours ahead of UTC; x and y are swapped.
      let instant = try Instant(rfc3339: line[4].replacingOccurrences(of: " ", with: "T") + "+02:00")
      guard let x = Double(line[2]), let y = Double(line[1]) else { continue }
      let time = Double(instant.milliseconds) / 1_000 + delay
      for track in tracks {
        let points = camera[track] ?? []
        guard let next = points.firstIndex(where: { $0.time >= time }), next > 0,
          points[next].time - points[next - 1].time < 0.6
        else { continue }
        let (a, b) = (points[next - 1], points[next])
        let share = (time - a.time) / (b.time - a.time)
        pairs.append(
          Pair(time: time, camera: (a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share), tag: (x / 1_000, y / 1_000)))
      }
    }
    return pairs
  }

  /// Solves a system of three linear equations.
  private func solved(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
    var rows = zip(matrix, right).map { $0 + [$1] }
    for column in 0..<3 {
      let pivot = (column..<3).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
      rows.swapAt(column, pivot)
      for row in 0..<3 where row != column {
        let factor = rows[row][column] / rows[column][column]
        for index in column..<4 { rows[row][index] -= factor * rows[column][index] }
      }
    }
    return (0..<3).map { rows[$0][3] / rows[$0][$0] }
  }

  /// The distances that an affine map between the two frames leaves, fitted with weights that ignore outliers (Cauchy).
  private func distances(_ pairs: [Pair]) -> [Double] {
    var weights = [Double](repeating: 1, count: pairs.count)
    var distances: [Double] = []
    for _ in 0..<60 {
      var (normal, right) = ([[Double]](repeating: [0, 0, 0], count: 3), [[Double]](repeating: [0, 0, 0], count: 2))
      for (pair, weight) in zip(pairs, weights) {
        let row = [pair.camera.x, pair.camera.y, 1]
        for i in 0..<3 {
          for j in 0..<3 { normal[i][j] += weight * row[i] * row[j] }
          right[0][i] += weight * row[i] * pair.tag.x
          right[1][i] += weight * row[i] * pair.tag.y
        }
      }
      let (mapX, mapY) = (solved(normal, right[0]), solved(normal, right[1]))
      distances = pairs.map { pair in
        let row = [pair.camera.x, pair.camera.y, 1]
        let x = zip(mapX, row).reduce(0) { $0 + $1.0 * $1.1 } - pair.tag.x
        let y = zip(mapY, row).reduce(0) { $0 + $1.0 * $1.1 } - pair.tag.y
        return (x * x + y * y).squareRoot()
      }
      let middle = Sample(distances).quantile(0.5)
      weights = distances.map { 1 / (1 + ($0 / (2 * middle)) * ($0 / (2 * middle))) }
    }
    return distances
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: UWBPresetTests.folder.appendingPathComponent("raw_uwbtags.csv").path),
      "the measurements of tag and camera are not beside the checkout"))
  func theErrorIsThatOfTheMeasurement() throws {
    let pairs = try pairs(delay: 0.5)
    #expect(pairs.count > 800)
    let sample = Sample(distances(pairs))
    // The figures of PhoneValidation.
    for (share, metres) in [(0.5, 0.31), (0.68, 0.39), (0.95, 0.53)] {
      #expect(abs(sample.quantile(share) - metres) < 0.02, "\(share): \(sample.quantile(share))")
    }
    // Half a second is the delay that leaves the least error.
    let others = try [0.0, 1.0].map { try Sample(distances(self.pairs(delay: $0))).quantile(0.68) }
    #expect(others.allSatisfy { $0 > sample.quantile(0.68) }, "\(others)")
  }
}
