import CordonCore
import CordonGeometry
import CordonIngest
import CordonVenues
import CordonWire
import Foundation

/// Made-up devices whose people walk from room to room and which post where they are, over the same interface as real ones.
struct Crowd: Sendable {
  let map: Venue
  let venue: PackedVenue
  let count: Int
  let seed: UInt64
  let admin: (id: String, key: String)

  private struct Walker {
    var id: String
    var token = ""
    var secret = ""
    var walk: CrowdWalk
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
      throw CommandError("\(method) \(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    }
    return answer.body
  }

  private func member(_ name: String, of data: Data) throws -> String {
    guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let text = object[name] as? String
    else { throw CommandError("no \(name) in the answer") }
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
    let visited = Set(venue.spaces.lazy.filter { $0.recording == .full }.map(\.id))
    var ways = try CrowdWays(map, visited: visited)
    var walkers: [Walker] = []
    for index in 0..<count {
      var random = RandomStream(seed: seed, stream: 0xde40, entity: UInt64(index))
      let (name, speed) = (String(random.next(), radix: 36), Crowd.speed(&random))
      let walk = CrowdWalk(ways, speed: speed, &random)
      var walker = Walker(id: "demo-\(name)", walk: walk, random: random)
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
        walker.unsent.add(step(&walker, &ways, gate: gate))
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
  private func step(_ walker: inout Walker, _ ways: inout CrowdWays, gate: PackedVenueGate) -> [Location] {
    guard let device = DeviceID(walker.id) else { return [] }
    let now = milliseconds()
    var rows: [Location] = []
    for second in 0..<2 {
      _ = walker.walk.step(&ways, &walker.random)
      if walker.walk.isBetweenFloors { continue }
      let floor = ways.plan.floors[walker.walk.floor].ordinal
      let noisy = PlanePoint(
        x: walker.walk.point.x + walker.random.nextNormal() * 0.4,
        y: walker.walk.point.y + walker.random.nextNormal() * 0.4)
      let coordinate = ways.plan.frame.unproject(noisy)
      // The device's own gate: what is outside or unrecorded never leaves it.
      let verdict = gate.judge(coordinate, floor: floor)
      guard verdict.isInside, verdict.recording == .full else { continue }
      let time = Instant(milliseconds: now - Int64(1 - second) * 1_000)
      let rounded = Coordinate(
        longitude: (coordinate.longitude * 1e7).rounded() / 1e7, latitude: (coordinate.latitude * 1e7).rounded() / 1e7)
      rows.append(
        Location(
          id: FixID(device: device, time: time, coordinate: rounded, accuracy: 3, floor: floor), device: device,
          venue: venue.venue, coordinate: rounded, accuracy: 3, floor: floor, time: time,
          venueHash: venue.contentHash))
    }
    return rows
  }
}
