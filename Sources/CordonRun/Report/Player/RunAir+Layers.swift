import CordonCore

extension RunAir {
  /// The maximum number of values of a layer in the page; with more, neighbouring bins are joined.
  static let maximumValues = 60_000

  /// Returns carbon dioxide and quanta by space and time, for the player.
  ///
  /// Only spaces whose air differs from that outdoors have values. Their other bins have the air of the outdoors.
  /// - Parameters:
  ///   - start: the start of the run, which is that of the first bin.
  ///   - end: the end of the run.
  ///   - limit: the maximum number of values of a layer.
  /// - Complexity: linear in the number of bins of all spaces.
  func layers(from start: Instant, to end: Instant, limit: Int = maximumValues) -> [SpaceLayer] {
    let width = max(bin.milliseconds, 1)
    let count = max(Int((end.milliseconds - start.milliseconds + width - 1) / width), 1)
    var co2: [Int: [Double]] = [:]
    var quanta: [Int: [Double]] = [:]
    for bin in bins {
      let (space, index) = (Int(bin.space), Int((bin.start - start.milliseconds) / width))
      guard bin.start >= start.milliseconds, index < count else { continue }
      co2[space, default: Array(repeating: outdoorCO2, count: count)][index] = bin.co2
      quanta[space, default: Array(repeating: 0, count: count)][index] = bin.quanta * 1_000
    }
    guard !co2.isEmpty else { return [] }
    let joined = max((co2.count * count + limit - 1) / limit, 1)
    let step = TimeSpan.milliseconds(width * Int64(joined))
    func layer(
      _ id: String, _ name: String, _ unit: String, _ values: [Int: [Double]], limits: (Double) -> [Double],
      decimals: Int
    ) -> SpaceLayer {
      let peak = values.values.reduce(0) { max($0, $1.max() ?? 0) }
      return SpaceLayer(
        id: id, name: name, unit: unit, start: start, step: step,
        values: values.mapValues { Self.joined($0, by: joined) },
        limits: limits(peak), decimals: decimals)
    }
    return [
      layer("co2", "CO₂", "ppm", co2, limits: Self.limits, decimals: 0),
      layer(
        "quanta", "Quanta", "quanta in 1000 m³", quanta, limits: { HeatScale(maximum: $0, least: 0.001).limits },
        decimals: 3),
    ]
  }

  /// The classes of carbon dioxide: fine ones for a building that stays below 800 ppm.
  private static func limits(_ peak: Double) -> [Double] {
    peak <= 800 ? [450, 500, 550, 600, 700, 800] : [500, 600, 800, 1_000, 1_400, 2_000]
  }

  /// Returns the means of groups of neighbouring values.
  private static func joined(_ values: [Double], by count: Int) -> [Double] {
    guard count > 1 else { return values }
    return stride(from: 0, to: values.count, by: count).map { first in
      let group = values[first..<min(first + count, values.count)]
      return group.reduce(0, +) / Double(group.count)
    }
  }
}
