import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonSupport
import Foundation
import Testing

/// The bundle that a FHIR server receives.
@Suite("FHIR bundles")
struct FHIRBundleTests {
  @Test func namesHaveTheUUIDsOfTheStandard() {
    let dns: [UInt8] = [
      0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
    ]
    // The example of RFC 9562, appendix A.4.
    let bytes = NamedUUID.of("www.example.com", in: dns).map { String($0, radix: 16) }
    #expect(bytes.prefix(6) == ["2e", "d6", "65", "7d", "e9", "27"] && bytes[6] == "56" && bytes[8] == "95")
    func hex(_ text: String) -> String {
      SHA1.digest(of: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(hex(String(repeating: "a", count: 119)).count == 40)
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
  }

  @Test func aLocationIsAGeoposition() throws {
    let rows = try Samples.locations(2)
    let message = try #require(try Samples.endpoint(Samples.target()).message(for: Samples.request(rows)))
    #expect(message.method == "POST" && message.headers["content-type"] == "application/fhir+json")
    #expect(message.headers["authorization"] == "Bearer secret")
    #expect(try Samples.json(message.body)["type"] as? String == "batch")
    let entries = try Samples.entries(message)
    #expect(entries.count == 2)
    let resource = try #require(entries[1]["resource"] as? [String: Any])
    #expect(resource["status"] as? String == "final")
    #expect((resource["subject"] as? [String: String])?["reference"] == "Patient/40001")
    #expect((resource["device"] as? [String: String])?["reference"] == "Device/70001")
    #expect(resource["effectiveDateTime"] as? String == rows[1].time.rfc3339)
    let code = try #require(resource["code"] as? [String: Any])
    let coding = try #require((code["coding"] as? [[String: String]])?.first)
    #expect(coding["system"] == "https://w3id.org/openmhealth" && coding["code"] == "omh:geoposition:1.0")
    let attachment = try #require(resource["valueAttachment"] as? [String: String])
    let point = try Samples.json(Array(try #require(Data(base64Encoded: attachment["data"] ?? ""))))
    let header = try #require(point["header"] as? [String: Any])
    let identifier = try #require((resource["identifier"] as? [[String: String]])?.first)
    #expect(identifier["value"] == "urn:uuid:" + (header["uuid"] as? String ?? ""))
    #expect(entries[1]["fullUrl"] as? String == identifier["value"])
    let request = try #require(entries[1]["request"] as? [String: String])
    #expect(request["method"] == "POST" && request["url"] == "Observation")
    #expect(request["ifNoneExist"] == "identifier=urn:ietf:rfc:3986|" + (identifier["value"] ?? ""))
    let body = try #require(point["body"] as? [String: Any])
    #expect((body["latitude"] as? [String: Any])?["value"] as? Double == 47.25)
    #expect((body["longitude"] as? [String: Any])?["value"] as? Double == 8.5001)
    #expect(body["floor"] as? Int == -1)
    #expect(body["positioning_system"] == nil, "the source of a position is not invented")
  }

  /// The radius itself is sent, not a signal strength made of it.
  @Test func theRealAccuracyIsSent() throws {
    let rows = try Samples.locations(1)
    for version in FHIRVersion.allCases {
      let message = try #require(
        try Samples.endpoint(Samples.target(.geoposition, version)).message(for: Samples.request(rows)))
      let text = String(decoding: message.body, as: UTF8.self)
      #expect(text.contains(#""url":"urn:cordon:fhir:horizontal-accuracy","valueQuantity":{"value":4.2,"unit":"m""#))
      #expect(!text.contains("dB") && !text.contains("satellite"))
    }
    let point = FHIRBundle.dataPoint(FHIRObservation.positions(of: rows[0])[0])
    #expect(point["body"]?["horizontal_accuracy"]?.text() == #"{"value":4.2,"unit":"m"}"#)
  }

  /// A second attempt has the same bytes: no server needs to store an Observation twice.
  @Test func aRepeatedBatchHasTheSameIdentifiers() throws {
    let rows = try Samples.locations(5, restsFor: .minutes(2))
    let endpoint = try Samples.endpoint(Samples.target())
    let first = try #require(endpoint.message(for: Samples.request(rows)))
    let second = try #require(endpoint.message(for: Samples.request(rows)))
    #expect(first == second)
    let names = try Samples.entries(first).compactMap { $0["fullUrl"] as? String }
    #expect(names.count == 10 && Set(names).count == 10, "the place, and that the device still was there")
    #expect(names.allSatisfy { $0.dropFirst("urn:uuid:".count).dropFirst(14).first == "5" })
  }

  @Test func theOldestObservationIsFirst() throws {
    let message = try #require(
      try Samples.endpoint(Samples.target()).message(for: Samples.request(Samples.locations(4))))
    let times = try Samples.entries(message).compactMap {
      ($0["resource"] as? [String: Any])?["effectiveDateTime"] as? String
    }
    #expect(times.count == 4 && times == times.sorted())
  }

  @Test(arguments: ["", "a b", "Patient/", String(repeating: "1", count: 65), "../40001", "Device/1"])
  func aPatientIsNeverAssumed(patient: String) {
    #expect(throws: FHIRError.self) { try FHIRTarget(patient: patient, device: "1", dataType: .geoposition) }
    #expect(throws: (any Error).self) {
      try SinkEndpoint.fhirPositions(url: URL(fileURLWithPath: "/"), patient: patient, device: "1")
    }
  }

  @Test func restsAreIntervals() throws {
    let rows = try Samples.locations(3, restsFor: .minutes(4))
    let endpoint = try Samples.endpoint(Samples.target(.timeInterval, hasIEEECode: true))
    let message = try #require(endpoint.message(for: Samples.request(rows)))
    let entries = try Samples.entries(message)
    // The last rest may go on.
    #expect(entries.count == 2)
    let resource = try #require(entries[0]["resource"] as? [String: Any])
    let period = try #require(resource["effectivePeriod"] as? [String: String])
    #expect(period["start"] == rows[0].time.rfc3339 && period["end"] == rows[0].stillUntil?.rfc3339)
    let code = try #require(resource["code"] as? [String: Any])
    #expect(
      (code["coding"] as? [[String: String]])?.map { $0["code"] } == [
        "omh:time-interval:1.0", "ieee:time-interval:1.0",
      ]
    )
    #expect(code["text"] as? String == "Rest")
  }

  /// Only a rest that has ended is sent; rows without one need no request.
  @Test func theLastRestWaitsForALaterLocation() async throws {
    let endpoint = try Samples.endpoint(Samples.target(.timeInterval))
    let server = ScriptedServer([])
    let rows = try Samples.locations(3)
    let response = await endpoint.deliver(try Samples.request(rows), over: server)
    #expect(
      response.body
        == .rows([
          RowAnswer(id: rows[0].id, status: .stored), RowAnswer(id: rows[1].id, status: .stored),
          RowAnswer(id: rows[2].id, status: .retry),
        ]))
    #expect(await server.messages.isEmpty)
  }

  @Test func releaseFourHasComponents() throws {
    let rows = try Samples.locations(1)
    let message = try #require(
      try Samples.endpoint(Samples.target(.geoposition, .r4)).message(for: Samples.request(rows)))
    let resource = try #require(try Samples.entries(message)[0]["resource"] as? [String: Any])
    #expect(resource["valueAttachment"] == nil)
    let components = try #require(resource["component"] as? [[String: Any]])
    let values = components.compactMap { ($0["valueQuantity"] as? [String: Any])?["value"] as? Double }
    #expect(values == [47.25, 8.5, 4.2])
  }

  /// Late data change a day: the new total is another Observation, not a copy of the first.
  @Test func aCorrectedDayIsAmended() throws {
    let device = try #require(DeviceID("0b5f-77"))
    let start = Instant(milliseconds: 1_767_222_000_000)
    func day(_ minutes: Double, _ revision: Int) -> FHIRObservation {
      FHIRObservation.dayTotal(
        "outdoors", text: "Time outdoors", device: device, minutes: minutes, start: start, end: start + .hours(24),
        revision: revision)
    }
    #expect(day(30, 0) == day(30, 0))
    #expect(day(30, 0).identifier != day(45, 1).identifier && day(45, 1).isAmended)
    let resource = FHIRBundle.resource(day(45, 1), for: try Samples.target(.timeInterval))
    #expect(resource["status"]?.stringValue == "amended")
    // A day without time outdoors is reported too, and its end is the next midnight.
    #expect(FHIRBundle.dataPoint(day(0, 0))["body"]?["duration"]?.text() == #"{"value":0,"unit":"min"}"#)
    #expect(resource["effectivePeriod"]?["end"]?.stringValue == (start + .hours(24)).rfc3339)
  }
}
