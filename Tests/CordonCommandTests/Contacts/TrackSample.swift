import CordonContacts
import CordonCore
import Foundation

/// A dozen devices that move on two small floors for ten minutes, written in every supported format.
struct TrackSample {
  let points: [TrackPoint]
  let accuracies: [Float]
  static let start: Int64 = 1_767_600_000_000

  init(devices: Int = 12, seed: UInt64 = 5) {
    var random = RandomStream(seed: seed, stream: 1)
    var points: [TrackPoint] = []
    var accuracies: [Float] = []
    for device in 0..<devices {
      var (x, y) = (random.nextUniform(in: 0...12), random.nextUniform(in: 0...12))
      var floor: Int32 = device % 2 == 0 ? 0 : 1_000
      for k in 0..<300 {
        if random.nextUnit() < 0.98 {
          points.append(
            TrackPoint(
              device: Int32(device), floor: floor, time: TrackSample.start + Int64(k) * 2_000,
              x: (x * 1_000).rounded() / 1_000, y: (y * 1_000).rounded() / 1_000))
          accuracies.append(device < 4 ? 0.5 : 5)
        }
        x = min(max(x + random.nextUniform(in: -1...1), 0), 12)
        y = min(max(y + random.nextUniform(in: -1...1), 0), 12)
        if random.nextUnit() < 0.01 { floor = floor == 0 ? 1_000 : 0 }
      }
    }
    self.points = points
    self.accuracies = accuracies
  }

  var contacts: [Contact] {
    ContactFinder(distance: 2).contacts(in: ObservedTracks(points, maximumGap: .seconds(6)))
  }

  static func name(_ device: Int32) -> String { "d\(device < 10 ? "0" : "")\(device)" }

  /// By time, which is not the engine's order.
  var csv: String {
    rows(header: "device,t_ms,x,y,floor,accuracy\n") { p, accuracy in
      "\(TrackSample.name(p.device)),\(p.time),\(p.x),\(p.y),\(p.floor / 1_000),\(accuracy)\n"
    }
  }

  /// Other names, another separator, seconds, other columns between.
  var mappedCSV: String {
    rows(header: "note;badge;storey;when;north;east\n") { p, _ in
      "\"a;b\";\(TrackSample.name(p.device));\(p.floor / 1_000);\(Double(p.time) / 1_000);\(p.y);\(p.x)\n"
    }
  }

  var jsonLines: String {
    rows(header: "") { p, accuracy in
      "{\"device\":\"\(TrackSample.name(p.device))\",\"t_ms\":\(p.time),\"x\":\(p.x),\"y\":\(p.y),\"floor\":\(p.floor / 1_000),\"accuracy\":\(accuracy)}\n"
    }
  }

  private func rows(header: String, _ row: (TrackPoint, Float) -> String) -> String {
    let order = points.indices.sorted { (points[$0].time, points[$0].device) < (points[$1].time, points[$1].device) }
    return header + order.map { row(points[$0], accuracies[$0]) }.joined()
  }

  /// The generator's records: 32 bytes each, floors as plain numbers.
  var workload: Data { TrackSample.records(points) }

  /// The same in reverse, which is not sorted by device and time.
  var unsortedWorkload: Data { TrackSample.records(points.reversed()) }

  private static func records(_ points: [TrackPoint]) -> Data {
    var data = Data()
    for p in points {
      var record = p
      record.floor = p.floor / 1_000
      withUnsafeBytes(of: record) { data.append(contentsOf: $0) }
    }
    return data
  }
}
