import Cordon
import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonVenues
import Foundation

/// The devices of the demo. They send to the server as every other device does.
struct DemoClients: Sendable {
  let place: DemoVenue
  let count: Int
  let seed: UInt64
  let admin: (id: String, key: String)

  /// Activates all devices, and lets their people walk until the task is cancelled.
  func run(port: Int) async throws {
    let transport = LoopbackClient(port: port)
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CommandError("no address for port \(port)") }
    let endpoint = SinkEndpoint(.cordon, url: url)
    let code = try await inviteCode(from: transport)
    var ways = try place.ways()
    let gate = PackedVenueGate(place.packed)
    let clock = SystemClock()
    var clients: [DemoClient] = []
    for index in 0..<count {
      var client = try DemoClient(
        number: index, seed: seed, ways: ways, gate: gate, inviteCode: code, at: clock.now)
      try await client.performOutput { await endpoint.deliver($0, over: transport) }
      clients.append(client)
    }
    while !Task.isCancelled {
      for index in clients.indices {
        clients[index].walk(seconds: 2, in: &ways, until: clock.now)
        try await clients[index].performOutput { await endpoint.deliver($0, over: transport) }
      }
      try await Task.sleep(for: .seconds(2))
    }
  }

  /// Asks the server for an invite code for all devices.
  private func inviteCode(from client: LoopbackClient) async throws -> String {
    let credentials = Data("\(admin.id):\(admin.key)".utf8).base64EncodedString()
    let order = #"{"venue": "\#(place.map.id.rawValue)", "maximum_uses": \#(count)}"#
    let answer = try await client.send(
      "POST", "/v1/operator/invite-codes", Array(order.utf8),
      headers: ["authorization": "Basic \(credentials)", "content-type": "application/json"])
    let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    guard (200..<300).contains(answer.status), let code = object?["code"] as? String else {
      throw CommandError("no invite code: \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
    }
    return code
  }
}
