import CordonCore
import CordonExchange
import CordonTestSupport

/// Two devices, a few minutes, everything that a trace can hold.
enum SampleTrace {
  static func make(devices: Int = 2, seed: UInt64 = 1, hasMocked: Bool = true) -> Trace {
    var random = RandomStream(seed: seed, stream: 1)
    var trace = Trace(format: .csv, name: "sample")
    for device in 0..<devices {
      var track = TraceTrack(name: "walk \(device + 1)", device: "device-\(device + 1)")
      for second in 0..<40 {
        let coordinate = Coordinate(
          longitude: ((-8.54 + random.nextUniform(in: -0.01...0.01)) * 1e7).rounded() / 1e7,
          latitude: ((47.37 + random.nextUniform(in: -0.01...0.01)) * 1e7).rounded() / 1e7)
        var point = TracePoint(
          place: .degrees(coordinate),
          time: Instant(milliseconds: Instant.testStart.milliseconds + Int64(second) * 5_250))
        if second % 3 != 0 { point.accuracy = (random.nextUniform(in: 1...60) * 1e3).rounded() / 1e3 }
        if second % 4 != 0 { point.floor = FloorOrdinal(Double(second % 5) - 1.5) }
        if second % 7 == 0 { point.elevation = 408.25 }
        if second % 9 == 0, let time = point.time { point.stillUntil = time + .seconds(4) }
        if hasMocked, second % 11 == 5 { point.isMocked = true }
        track.points.append(point)
      }
      trace.tracks.append(track)
    }
    return trace
  }
}
