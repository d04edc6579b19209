public import CordonCore
internal import CordonGeometry

/// Takes out of a trace what says who made it: names, and where and when, as far as they are not needed.
public struct TraceAnonymisation: Hashable, Sendable {
  /// Only points within ``radius`` metres of this place are kept: the venue, and not somebody's home.
  public var center: Coordinate?
  /// Metres.
  public var radius = 500.0
  /// Whole days by which all times are moved back; `nil` leaves them.
  public var daysEarlier: Int?
  /// Decimals of a degree that are kept; `nil` keeps all.
  public var decimals: Int?

  /// Names only.
  public init() {}

  /// The trace without names, heights, way-points, and whatever else was asked for. Devices are called `device-1` and so
  /// on, in the order in which they first appear.
  public func apply(to trace: Trace) -> Trace {
    var result = Trace(format: trace.format, name: "trace")
    // How much could not be read, but not what: reasons may quote the file.
    result.faultCount = trace.faultCount
    let frame = center.map { LocalFrame(origin: $0) }
    var numbers: [String: Int] = [:]
    for track in trace.tracks where track.kind != .waypoints || trace.tracks.allSatisfy({ $0.kind == .waypoints }) {
      let key = track.label
      let number = numbers[key] ?? numbers.count + 1
      numbers[key] = number
      var kept = TraceTrack(kind: track.kind, device: "device-\(number)")
      for var point in track.points {
        point.elevation = nil
        if case .degrees(var place) = point.place {
          if let frame {
            let offset = frame.project(place)
            if offset.x * offset.x + offset.y * offset.y > radius * radius { continue }
          }
          if let decimals {
            let scale = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7][min(max(decimals, 0), 7)]
            place.longitude = (place.longitude * scale).rounded() / scale
            place.latitude = (place.latitude * scale).rounded() / scale
            point.place = .degrees(place)
          }
        }
        if let daysEarlier {
          let shift = TimeSpan.days(Int64(daysEarlier))
          point.time = point.time.map { $0 - shift }
          point.stillUntil = point.stillUntil.map { $0 - shift }
        }
        kept.points.append(point)
      }
      if !kept.points.isEmpty { result.tracks.append(kept) }
    }
    return result
  }
}
