import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonSupport
import CordonWire
import Foundation

/// The receivers of rows from outside of the venue: an Overland receiver and a health platform, and another Overland receiver of
/// rows of both kinds. They read the bytes of the wire, and lose nothing. The platform accepts only the current access token of a
/// person.
final class TortureReceivers {
  private let seed: UInt64
  private var handled: UInt64 = 0
  /// A row or trip at one of the Overland receivers.
  private struct Key: Hashable {
    var sink: SinkID
    var id: String
  }

  /// The rows of the Overland receivers: their places, and every end of a rest.
  private var rows: [Key: (place: String, ends: Set<String>)] = [:]
  /// The trips of the Overland receivers, as they came. The identity is that of the phone, and the start.
  private var trips: [Key: String] = [:]
  /// Broken promises.
  private(set) var problems: [String] = []
  /// The identifiers of Observations.
  private var observations: Set<String> = []
  /// The current access token of each phone.
  var tokens: [Int: (access: String, expires: Instant)] = [:]

  init(seed: UInt64) { self.seed = seed }

  func handle(_ going: TortureNetwork.Going, wall: Instant, mayFail: Bool) -> HTTPResponse {
    handled += 1
    let draw = RandomStream(seed: seed, stream: 0x77, entity: handled).block(at: 0).0 & 0xff
    guard let body = try? JSONReader.value(of: going.message.body) else { return HTTPResponse(status: 400) }
    return going.request.sink == .fhir
      ? takeBundle(body, going, wall, draw: mayFail ? draw : 0xff)
      : takeLocations(body, going, draw: mayFail ? draw : 0xff)
  }

  private func takeLocations(_ body: JSONValue, _ going: TortureNetwork.Going, draw: UInt64) -> HTTPResponse {
    let sink = going.request.sink
    let features = body["locations"]?.elements ?? []
    for feature in features {
      let properties = feature["properties"]
      if properties?["type"] == "trip" {
        let key = Key(sink: sink, id: "\(going.phone)/\(properties?["start"]?.stringValue ?? "")")
        if going.isIntact, let former = trips.updateValue(feature.text(), forKey: key), former != feature.text() {
          problems.append("a trip comes again with other contents")
        }
        continue
      }
      guard let id = properties?["fix_id"]?.stringValue else { return HTTPResponse(status: 400) }
      let (key, place) = (Key(sink: sink, id: id), feature["geometry"]?["coordinates"]?.text() ?? "")
      var ends = rows[key]?.ends ?? []
      for name in ["still_until", "departure_date"] {
        if let end = properties?[name]?.stringValue { ends.insert(end) }
      }
      if going.isIntact, let former = rows[key]?.place, former != place {
        problems.append("a row comes again with another place")
      }
      rows[key] = (place, ends)
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

  /// Forgets the broken promises, once they are reported.
  func forgetProblems() { if !problems.isEmpty { problems = [] } }

  /// Whether an Overland receiver has a trip of a phone.
  func have(_ trip: TortureTrips.Ended, of phone: Int) -> Bool {
    trips[Key(sink: trip.sink, id: "\(phone)/\(trip.start)")] != nil
  }

  /// Whether the health platform has a row, with the end of its rest.
  func platformHas(_ row: Location) -> Bool {
    FHIRObservation.positions(of: row).allSatisfy {
      observations.contains($0.identifier.replacing("urn:uuid:", with: ""))
    }
  }

  /// Whether an Overland receiver has a row at its place, with the end of its rest.
  func have(_ row: Location, at sink: SinkID) -> Bool {
    guard let known = rows[Key(sink: sink, id: "\(row.id)")],
      let value = try? JSONReader.value(of: Array(known.place.utf8)), let numbers = value.elements, numbers.count == 2
    else { return false }
    if let end = row.stillUntil, end > row.time, !known.ends.contains(Overland.timestamp(end, offset: 0)) {
      return false
    }
    func isEqual(_ value: JSONValue, _ degrees: Double) -> Bool {
      switch value {
      case .number(let number): abs(number - degrees) < 1e-9
      case .integer(let number): abs(Double(number) - degrees) < 1e-9
      default: false
      }
    }
    return isEqual(numbers[0], row.coordinate.longitude) && isEqual(numbers[1], row.coordinate.latitude)
  }
}
