import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonSupport
import CordonWire
import Foundation

/// The receivers of rows from outside of the venue: an Overland receiver and a health platform. They read the bytes of the
/// wire, and lose nothing. The platform accepts only the current access token of a person.
final class TortureReceivers {
  private let seed: UInt64
  private var handled: UInt64 = 0
  /// The identities of Overland's rows, with their places.
  private var rows: [String: String] = [:]
  /// The identifiers of Observations.
  private var observations: Set<String> = []
  /// The current access token of each phone.
  var tokens: [Int: (access: String, expires: Instant)] = [:]

  init(seed: UInt64) { self.seed = seed }

  func handle(_ going: TortureNetwork.Going, wall: Instant, mayFail: Bool) -> HTTPResponse {
    handled += 1
    let draw = RandomStream(seed: seed, stream: 0x77, entity: handled).block(at: 0).0 & 0xff
    guard let body = try? JSONReader.value(of: going.message.body) else { return HTTPResponse(status: 400) }
    return going.request.sink == .overland
      ? takeLocations(body, draw: mayFail ? draw : 0xff)
      : takeBundle(body, going, wall, draw: mayFail ? draw : 0xff)
  }

  private func takeLocations(_ body: JSONValue, draw: UInt64) -> HTTPResponse {
    let features = body["locations"]?.elements ?? []
    for feature in features {
      guard let id = feature["properties"]?["fix_id"]?.stringValue else { return HTTPResponse(status: 400) }
      rows[id] = feature["geometry"]?["coordinates"]?.text() ?? ""
    }
    let answer =
      switch draw {
      case 0..<6: #"{"error":"later"}"#
      case 6..<10: "[]"
      default: #"{"result":"ok"}"#
      }
    return HTTPResponse(status: 200, body: Array(answer.utf8))
  }

  private func takeBundle(
    _ body: JSONValue, _ going: TortureNetwork.Going, _ wall: Instant, draw: UInt64
  ) -> HTTPResponse {
    guard let token = tokens[going.phone], token.expires > wall,
      going.message.headers["authorization"] == "Bearer \(token.access)"
    else { return HTTPResponse(status: 401) }
    // A success without content, from a program that is not a FHIR server.
    if draw < 8 { return HTTPResponse(status: 200, body: Array(#"{"ok":true}"#.utf8)) }
    var entries: [String] = []
    for (index, entry) in (body["entry"]?.elements ?? []).enumerated() {
      guard let id = entry["resource"]?["identifier"]?.elements?.first?["value"]?.stringValue else {
        return HTTPResponse(status: 400)
      }
      if draw < 24, index % 3 == 1 {
        entries.append(#"{"response":{"status":"500"}}"#)
        continue
      }
      let name = id.replacing("urn:uuid:", with: "")
      entries.append(#"{"response":{"status":"\#(observations.insert(name).inserted ? 201 : 200)"}}"#)
    }
    return HTTPResponse(
      status: 200,
      body: Array(
        #"{"resourceType":"Bundle","type":"batch-response","entry":[\#(entries.joined(separator: ","))]}"#.utf8))
  }

  /// Whether both receivers have a row, and Overland's at its place.
  func have(_ row: Location) -> Bool {
    guard let place = rows["\(row.id)"],
      let value = try? JSONReader.value(of: Array(place.utf8)), let numbers = value.elements, numbers.count == 2
    else { return false }
    func isEqual(_ value: JSONValue, _ degrees: Double) -> Bool {
      switch value {
      case .number(let number): abs(number - degrees) < 1e-9
      case .integer(let number): abs(Double(number) - degrees) < 1e-9
      default: false
      }
    }
    guard isEqual(numbers[0], row.coordinate.longitude), isEqual(numbers[1], row.coordinate.latitude) else {
      return false
    }
    let first = FHIRObservation.positions(of: row).first
    return first.map { observations.contains($0.identifier.replacing("urn:uuid:", with: "")) } ?? false
  }
}
