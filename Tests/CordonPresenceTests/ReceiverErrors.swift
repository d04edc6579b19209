import CordonCore
import CordonExchange
import CordonGeometry
import CordonPresence
import CordonTestSupport
import Foundation

/// The errors of a receiver, as in the presets of the simulator: a bias, a Gauss-Markov process of a minute, and outliers that the
/// accuracy does not show.
struct ReceiverErrors {
  var sigma: Double
  var bias: Double
  var outliers: Double
  var outlierSigma: Double

  static let none = ReceiverErrors(sigma: 0, bias: 0, outliers: 0, outlierSigma: 0)
  /// The preset `gps-near`.
  static let near = ReceiverErrors(sigma: 3, bias: 1.2, outliers: 0.02, outlierSigma: 10)
  /// The preset `gps`.
  static let roof = ReceiverErrors(sigma: 5, bias: 2, outliers: 0.05, outlierSigma: 22)

  /// Measures a way at even times, between whose points the person moves evenly.
  func fixes(of way: [PresenceFix], every step: Double, seed: UInt64) -> [PresenceFix] {
    guard let first = way.first, let last = way.last else { return [] }
    let frame = LocalFrame(origin: first.coordinate)
    var noise = Noise(seed: seed)
    let keep = PortableMath.exp(-step / 60)
    let innovation = sigma * (1 - keep * keep).squareRoot()
    let offset = (x: noise.normal() * bias, y: noise.normal() * bias)
    var process = (x: noise.normal() * sigma, y: noise.normal() * sigma)
    let radius = max((sigma * sigma + bias * bias).squareRoot() * 1.5096, 0.1)
    var draws = RandomStream(seed: seed, stream: 0x6f)
    var fixes: [PresenceFix] = []
    var index = 0
    var time = first.time
    while time <= last.time {
      while index + 2 < way.count, way[index + 1].time < time { index += 1 }
      let (from, to) = (way[index], way[min(index + 1, way.count - 1)])
      let (a, b) = (frame.project(from.coordinate), frame.project(to.coordinate))
      let part = min(max(Double(time - from.time) / max(Double(to.time - from.time), 1), 0), 1)
      process.x = keep * process.x + noise.normal() * innovation
      process.y = keep * process.y + noise.normal() * innovation
      var error = (x: offset.x + process.x, y: offset.y + process.y)
      if draws.nextUnit() < outliers { error = (noise.normal() * outlierSigma, noise.normal() * outlierSigma) }
      let point = PlanePoint(x: a.x + (b.x - a.x) * part + error.x, y: a.y + (b.y - a.y) * part + error.y)
      fixes.append(PresenceFix(time: time, coordinate: frame.unproject(point), accuracy: radius))
      time += Int64(step * 1_000)
    }
    return fixes
  }
}

extension Near {
  /// The distance of two near places in metres.
  static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let point = LocalFrame(origin: a).project(b)
    return (point.x * point.x + point.y * point.y).squareRoot()
  }
}

extension FixReading {
  /// Reads the ways of a recorded GPX track: parts of more than ten points without gaps of more than five minutes.
  static func ways(_ name: String) throws -> [[PresenceFix]] {
    var options = TraceReadOptions()
    options.format = .gpx
    let path = Places.realTraces.appendingPathComponent("gpx/\(name).gpx").path
    var ways: [[PresenceFix]] = []
    _ = try FixReader.read(path: path, options: options) { row in
      let fix = PresenceFix(time: row.time, coordinate: row.coordinate, accuracy: row.accuracy)
      if let last = ways.last?.last, fix.time - last.time <= 300_000 {
        ways[ways.count - 1].append(fix)
      } else {
        ways.append([fix])
      }
    }
    return ways.filter { $0.count > 10 }
  }

  /// Reads the ways of a track, cut into pieces of half an hour. Rests of less than ten minutes are left out.
  static func pieces(_ name: String) throws -> [[PresenceFix]] {
    var pieces: [[PresenceFix]] = []
    for way in try ways(name) {
      var piece: [PresenceFix] = []
      for fix in way where piece.last.map({ fix.time > $0.time }) ?? true {
        piece.append(fix)
        guard fix.time - piece[0].time >= 1_800_000 else { continue }
        pieces.append(piece)
        piece = [fix]
      }
      if let first = piece.first, let last = piece.last, last.time - first.time >= 600_000 { pieces.append(piece) }
    }
    return pieces
  }
}
