import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonWire
import Foundation
import Testing

@testable import CordonServerCommand

/// A server in its own process on a free port of the loopback address, with one hall and an administrator, while a
/// closure runs.
struct LiveServer: Sendable {
  let program: Program
  let port: Int
  let admin: (id: String, key: String)
  let folder: String
  let venue: VenueID

  /// The corner of the hall, which is about fifty metres wide.
  static let corner = Coordinate(longitude: 8.54, latitude: 47.37)

  /// The map of the hall, as GeoJSON.
  static func bundle() -> String {
    let (west, south) = (corner.longitude, corner.latitude)
    let (east, north) = (west + 0.0007, south + 0.0005)
    let ring = "[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]"
    func feature(_ properties: String) -> String {
      #"{"type":"Feature","properties":{\#(properties)},"geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
    }
    let features = [
      feature(#""id":"b","building":"yes""#), feature(#""id":"l","indoor":"level","level":"0""#),
      feature(#""id":"r","indoor":"room","level":"0","name":"hall""#),
    ]
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  /// - Parameters:
  ///   - prefix: a program and arguments that start the server.
  ///   - warning: words that must be logged before it listens.
  ///   - isSealed: whether it accepts TLS only.
  ///   - endsItself: whether `body` stops it.
  ///   - status: the status with which it ends; the number of a signal that ended it.
  static func with(
    _ settings: [String: String] = [:], arguments: [String] = [], prefix: [String] = [], isSealed: Bool = false,
    warning: String? = nil, endsItself: Bool = false, status: Int32 = 0,
    _ body: (LiveServer) async throws -> Void
  ) async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    try FileManager.default.createDirectory(atPath: folder + "/venues", withIntermediateDirectories: true)
    try Data(bundle().utf8).write(to: URL(fileURLWithPath: folder + "/venues/hall.geojson"))
    let made = try await Program.run(
      Program.server, ["operator", "add", "--data", folder + "/data", "--name", "Test Person", "--role", "admin"])
    let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(made.status == 0 && words.count == 4, "\(made)")
    let command =
      prefix + [Program.server, "serve", "--data", folder + "/data", "--venues", folder + "/venues", "--port", "0"]
      + arguments
    let program = try Program(command[0], Array(command.dropFirst()), environment: settings)
    if let warning { _ = try await program.line(with: warning) }
    let port = try member("port", of: Data(try await program.line(with: "\"listening\"").utf8))
    // Derived from the bundle's name or its content: the server reports it.
    var server = LiveServer(
      program: program, port: try #require(Int(port)), admin: (words[1], words[3]), folder: folder,
      venue: try #require(VenueID("unknown")))
    if !isSealed { server = try await server.named() }
    try await body(server)
    // A process that has already restored the default handler dies of a second signal.
    if !endsItself { program.signal(SIGTERM) }
    #expect(await program.end() == status)
  }

  private func named() async throws -> LiveServer {
    let list = try JSONSerialization.jsonObject(with: try await send("GET", "/v1/venues").body) as? [String: Any]
    let entry = try #require((list?["venues"] as? [[String: Any]])?.first)
    let id = try #require(VenueID(entry["venue"] as? String ?? ""))
    return LiveServer(program: program, port: port, admin: admin, folder: folder, venue: id)
  }

  func send(
    _ method: String, _ path: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> (status: Int, headers: [String: String], body: Data) {
    let answer = try await LoopbackClient(port: port).send(method, path, Array((body ?? "").utf8), headers: headers)
    return (answer.status, answer.headers, answer.body)
  }

  var basic: [String: String] {
    ["authorization": "Basic " + Data("\(admin.id):\(admin.key)".utf8).base64EncodedString()]
  }

  /// The credentials of a new operator, valid at once.
  func operatorCredentials(_ role: String, venues: [String] = []) async throws -> [String: String] {
    let made = try await Program.run(
      Program.server,
      ["operator", "add", "--data", folder + "/data", "--name", "Somebody", "--role", role]
        + venues.flatMap { ["--venue", $0] })
    let words = made.output.split(whereSeparator: \.isWhitespace).map(String.init)
    try #require(made.status == 0 && words.count == 4, "\(made)")
    program.signal(SIGHUP)
    _ = try await program.line(with: "reloaded")
    return ["authorization": "Basic " + Data("\(words[1]):\(words[3])".utf8).base64EncodedString()]
  }

  /// A member of an object, as text.
  static func member(_ name: String, of data: Data) throws -> String {
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(object?[name] as? String, "\(String(decoding: data, as: UTF8.self))")
  }

  /// A token of a new device that has consented.
  func token(_ device: String) async throws -> String {
    let bearer = try await self.device(device).bearer["authorization"] ?? ""
    return String(bearer.dropFirst("Bearer ".count))
  }

  /// A new device that has consented: its secret, and the header with its token.
  func device(_ device: String) async throws -> (secret: String, bearer: [String: String]) {
    let order = #"{"venue": "\#(venue.rawValue)"}"#
    let code = try Self.member("code", of: try await send("POST", "/v1/operator/invite-codes", order, basic).body)
    let secret = try Self.member(
      "secret", of: try await send("POST", "/v1/devices/\(device)/activate", #"{"code": "\#(code)"}"#).body)
    let token = try Self.member(
      "token", of: try await send("POST", "/v1/devices/\(device)/token", #"{"secret": "\#(secret)"}"#).body)
    let consent = try await send(
      "PUT", "/v1/devices/\(device)/consent", #"{"version": "1", "purposes": ["record", "share"], "time": 5}"#,
      ["authorization": "Bearer \(token)"])
    #expect(consent.status == 204)
    return (secret, ["authorization": "Bearer \(token)"])
  }

  /// Rows of the last minutes in the middle of the hall, one a second.
  func rows(_ device: String, _ count: Int) throws -> [Location] {
    let id = try #require(DeviceID(device))
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let place = Coordinate(longitude: Self.corner.longitude + 0.00035, latitude: Self.corner.latitude + 0.00025)
    let coordinate = Coordinate(
      longitude: (place.longitude * 1e7).rounded() / 1e7, latitude: (place.latitude * 1e7).rounded() / 1e7)
    return (0..<count).map { k in
      let time = Instant(milliseconds: now - Int64(1_000 * k))
      return Location(
        id: FixID(device: id, time: time, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0)), device: id,
        venue: venue, coordinate: coordinate, accuracy: 5, floor: FloorOrdinal(0), time: time)
    }
  }

  func batch(_ device: String, _ count: Int) throws -> String {
    String(decoding: PositionBatch.encode(try rows(device, count)), as: UTF8.self)
  }
}
