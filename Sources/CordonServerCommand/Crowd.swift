import CordonCore
import CordonGeometry
import CordonIngest
import CordonVenues
import CordonWire
import Foundation

/// Made-up devices that walk from place to place and post where they are, over the same interface as real ones.
struct Crowd: Sendable {
  let venue: PackedVenue
  let count: Int
  let seed: UInt64
  let admin: (id: String, key: String)

  private struct Walker {
    var id: String
    var token = ""
    var secret = ""
    var floor: FloorOrdinal
    var place: PlanePoint
    var goal: PlanePoint
    var rest = 0
    /// Metres in a second.
    var speed: Double
    var unsent = CrowdOutbox()
    var random: RandomStream
  }

  /// How fast somebody walks, metres in a second: people differ, and nobody runs or stands.
  static func speed(_ random: inout RandomStream) -> Double { min(max(1.3 + random.nextNormal() * 0.25, 0.6), 2.2) }

  private func send(
    _ client: LoopbackClient, _ method: String, _ path: String, _ body: [UInt8], _ authorization: String?
  ) async throws -> Data {
    var headers = ["content-type": "application/json"]
    if let authorization { headers["authorization"] = authorization }
    let answer = try await client.send(method, path, body, headers: headers)
    guard (200..<300).contains(answer.status) else {
      throw Complaint("\(method) \(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    }
    return answer.body
  }

  private func member(_ name: String, of data: Data) throws -> String {
    guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let text = object[name] as? String
    else { throw Complaint("no \(name) in the answer") }
    return text
  }

  /// Posts until it is cancelled.
  func run(port: Int) async throws {
    let client = LoopbackClient(port: port)
    let basic = "Basic " + Data("\(admin.id):\(admin.key)".utf8).base64EncodedString()
    let order = #"{"venue": "\#(venue.venue.rawValue)", "maximum_uses": \#(count)}"#
    let code = try member(
      "code", of: try await send(client, "POST", "/v1/operator/invite-codes", Array(order.utf8), basic))
    let gate = PackedVenueGate(venue)
    let frame = venue.frame
    let places = venue.spaces.filter { $0.recording == .full }.compactMap { space -> (FloorOrdinal, PlanePoint)? in
      guard let ring = space.outline.polygons.first?.outer, !ring.isEmpty,
        let floor = venue.floors.first(where: { $0.id == space.floor })
      else { return nil }
      let points = ring.map(frame.project)
      let middle = PlanePoint(
        x: points.map(\.x).reduce(0, +) / Double(points.count), y: points.map(\.y).reduce(0, +) / Double(points.count))
      return (floor.ordinal, middle)
    }
    guard !places.isEmpty else { throw Complaint("the venue has no space to walk to") }
    var walkers: [Walker] = []
    for index in 0..<count {
      var random = RandomStream(seed: seed, stream: 0xde40, entity: UInt64(index))
      let (floor, place) = places[random.nextIndex(below: places.count)]
      let (name, speed) = (String(random.next(), radix: 36), Crowd.speed(&random))
      var walker = Walker(
        id: "demo-\(name)", floor: floor, place: place, goal: place, speed: speed, random: random)
      let body = #"{"code": "\#(code)", "type": "demo"}"#
      walker.secret = try member(
        "secret", of: try await send(client, "POST", "/v1/devices/\(walker.id)/activate", Array(body.utf8), nil))
      walkers.append(walker)
    }
    var round = 0
    while !Task.isCancelled {
      for index in walkers.indices {
        var walker = walkers[index]
        if round % 1_500 == 0 {
          let proof = #"{"secret": "\#(walker.secret)"}"#
          walker.token = try member(
            "token", of: try await send(client, "POST", "/v1/devices/\(walker.id)/token", Array(proof.utf8), nil))
        }
        if round == 0 {
          let consent = #"{"version": "demo", "purposes": ["record", "share"], "time": \#(milliseconds())}"#
          _ = try await send(
            client, "PUT", "/v1/devices/\(walker.id)/consent", Array(consent.utf8), "Bearer \(walker.token)")
        }
        walker.unsent.add(step(&walker, places: places, gate: gate, frame: frame))
        let rows = walker.unsent.rows
        // A server that is busy says so; what it did not take goes with the next post.
        if !rows.isEmpty,
          let answer = try? await send(
            client, "POST", "/v1/positions", PositionBatch.encode(rows), "Bearer \(walker.token)")
        {
          walker.unsent.settle(try PositionAnswers.decode(Array(answer)))
        }
        walkers[index] = walker
      }
      round += 1
      try await Task.sleep(for: .seconds(2))
    }
  }

  private func milliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  /// Two seconds of a walk, a fix for each.
  private func step(
    _ walker: inout Walker, places: [(FloorOrdinal, PlanePoint)], gate: PackedVenueGate, frame: LocalFrame
  ) -> [Location] {
    guard let device = DeviceID(walker.id) else { return [] }
    let now = milliseconds()
    var rows: [Location] = []
    for second in 0..<2 {
      let (dx, dy) = (walker.goal.x - walker.place.x, walker.goal.y - walker.place.y)
      let distance = (dx * dx + dy * dy).squareRoot()
      if walker.rest > 0 {
        walker.rest -= 1
      } else if distance < 1.5 {
        walker.rest = 5 + walker.random.nextIndex(below: 60)
        let here = places.filter { $0.0 == walker.floor }
        if walker.random.nextIndex(below: 6) == 0 {
          (walker.floor, walker.place) = places[walker.random.nextIndex(below: places.count)]
          walker.goal = walker.place
        } else if !here.isEmpty {
          walker.goal = here[walker.random.nextIndex(below: here.count)].1
        }
      } else {
        walker.place.x += dx / distance * walker.speed
        walker.place.y += dy / distance * walker.speed
      }
      let noisy = PlanePoint(
        x: walker.place.x + walker.random.nextNormal() * 0.4, y: walker.place.y + walker.random.nextNormal() * 0.4)
      let coordinate = frame.unproject(noisy)
      // The device's own gate: what is outside or unrecorded never leaves it.
      let verdict = gate.judge(coordinate, floor: walker.floor)
      guard verdict.isInside, verdict.recording == .full else { continue }
      let time = Instant(milliseconds: now - Int64(1 - second) * 1_000)
      let rounded = Coordinate(
        longitude: (coordinate.longitude * 1e7).rounded() / 1e7, latitude: (coordinate.latitude * 1e7).rounded() / 1e7)
      rows.append(
        Location(
          id: FixID(device: device, time: time, coordinate: rounded, accuracy: 3, floor: walker.floor), device: device,
          venue: venue.venue, coordinate: rounded, accuracy: 3, floor: walker.floor, time: time,
          venueHash: venue.contentHash))
    }
    return rows
  }
}
