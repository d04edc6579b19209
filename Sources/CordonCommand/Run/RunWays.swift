import CordonCore
import CordonGeometry
import CordonRun

/// People's ways in formats of the field, positions in degrees.
struct RunWays {
  let tracks: RunTracks
  let frame: LocalFrame
  let people: [RunPerson]
  let floor: Int32?

  private func degrees(_ frame: RunTracks.Frame) -> (longitude: String, latitude: String) {
    let place = self.frame.unproject(PlanePoint(x: frame.x, y: frame.y))
    return (RunText.number(place.longitude, places: 8), RunText.number(place.latitude, places: 8))
  }

  private func time(_ frame: RunTracks.Frame) -> String {
    Instant(milliseconds: tracks.time(of: frame.number)).rfc3339
  }

  private func ordinal(_ frame: RunTracks.Frame) -> String { FloorOrdinal(thousandths: frame.floor).description }

  /// One line a position.
  func writeCSV(to output: (String) throws -> Void) rethrows -> Int {
    try output("person,time,floor,longitude,latitude,x_m,y_m\n")
    var count = 0
    try tracks.forEach(on: floor) { frame in
      let place = degrees(frame)
      try output(
        "\(frame.person),\(time(frame)),\(ordinal(frame)),\(place.longitude),\(place.latitude),\(RunText.number(frame.x, places: 2)),\(RunText.number(frame.y, places: 2))\n"
      )
      count += 1
    }
    return count
  }

  /// A track for each person, a segment for each visit to a floor.
  func writeGPX(to output: (String) throws -> Void) rethrows -> Int {
    try output(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"Cordon\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n"
    )
    var count = 0
    var last: RunTracks.Frame?
    try tracks.forEach(on: floor) { frame in
      if last?.person != frame.person {
        if last != nil { try output("</trkseg></trk>\n") }
        try output("<trk><name>\(name(frame.person))</name><trkseg>\n")
      } else if last?.floor != frame.floor || (last?.number ?? 0) + 1 < frame.number {
        try output("</trkseg><trkseg>\n")
      }
      let place = degrees(frame)
      try output(
        "<trkpt lat=\"\(place.latitude)\" lon=\"\(place.longitude)\"><time>\(time(frame))</time><cmt>floor \(ordinal(frame))</cmt></trkpt>\n"
      )
      last = frame
      count += 1
    }
    try output(last == nil ? "</gpx>\n" : "</trkseg></trk>\n</gpx>\n")
    return count
  }

  /// A line for each person and visit to a floor, with the times of its points in `coordTimes`.
  func writeGeoJSON(to output: (String) throws -> Void) rethrows -> Int {
    try output("{\"type\":\"FeatureCollection\",\"features\":[")
    var count = 0
    var features = 0
    var points: [(place: String, time: String)] = []
    var last: RunTracks.Frame?
    func end() throws {
      guard let last, !points.isEmpty else { return }
      // A line has two points at least.
      if points.count == 1 { points.append(points[0]) }
      try output(features > 0 ? ",\n" : "\n")
      try output(
        "{\"type\":\"Feature\",\"properties\":{\"person\":\(last.person),\"name\":\"\(name(last.person))\",\"floor\":\(ordinal(last)),\"coordTimes\":["
          + points.map { "\"\($0.time)\"" }.joined(separator: ",")
          + "]},\"geometry\":{\"type\":\"LineString\",\"coordinates\":["
          + points.map(\.place).joined(separator: ",") + "]}}")
      features += 1
      points.removeAll(keepingCapacity: true)
    }
    try tracks.forEach(on: floor) { frame in
      if let before = last,
        before.person != frame.person || before.floor != frame.floor || before.number + 1 < frame.number
      {
        try end()
      }
      let place = degrees(frame)
      points.append(("[\(place.longitude),\(place.latitude)]", time(frame)))
      last = frame
      count += 1
    }
    try end()
    try output("\n]}\n")
    return count
  }

  /// The device, or the person who has none. Both are made of letters, digits and hyphens.
  private func name(_ person: Int32) -> String {
    guard people.indices.contains(Int(person)) else { return "person-\(person)" }
    return people[Int(person)].device?.rawValue ?? "person-\(person)"
  }
}
