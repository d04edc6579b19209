import CordonCore
import CordonIngest
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServer

/// The rules of a connection, and what is published and read over it.
@Suite("Sessions of MQTT")
struct MQTTSessionTests {
  private func session(filters: [String] = []) -> MQTTSession {
    MQTTSession(.init(client: "c", filters: filters), now: .zero)
  }

  @Test func aConnectionIsReadyAfterItsSubscription() throws {
    var session = session(filters: ["owntracks/+/+"])
    guard case .connect(let connect) = session.opening else { throw MQTTFault("no connect") }
    #expect(!connect.isClean && connect.keepAlive == 30)
    let actions = try session.receive(.connectAcknowledgement(hasSession: true, code: 0), now: .zero)
    #expect(actions == [.send(.subscribe(number: 1, [.init(topic: "owntracks/+/+", quality: 1)]))])
    // What waited at the broker comes before the subscription is confirmed.
    let message = MQTTMessage("owntracks/a/b", [1], quality: 1)
    let early = try session.receive(.publish(message, number: 7, isRepeated: true, isCut: false), now: .zero)
    #expect(early == [.deliver(message, number: 7, isCut: false)] && !session.isReady)
    #expect(try session.receive(.subscribeAcknowledgement(number: 1, [1]), now: .zero) == [.ready])
    #expect(session.isReady)
    var plain = self.session()
    guard case .connect(let first) = plain.opening else { throw MQTTFault("no connect") }
    #expect(first.isClean, "a client that only publishes leaves nothing at the broker")
    #expect(try plain.receive(.connectAcknowledgement(hasSession: false, code: 0), now: .zero) == [.ready])
  }

  @Test func refusalsAndPacketsOutOfTurnAreFaults() {
    for code in UInt8(1)...6 {
      var session = session()
      #expect(throws: MQTTFault.self) {
        try session.receive(.connectAcknowledgement(hasSession: false, code: code), now: .zero)
      }
    }
    var early = session()
    #expect(throws: MQTTFault.self) { try early.receive(.pingAnswer, now: .zero) }
    var refused = session(filters: ["a"])
    _ = try? refused.receive(.connectAcknowledgement(hasSession: false, code: 0), now: .zero)
    #expect(throws: MQTTFault.self) { try refused.receive(.subscribeAcknowledgement(number: 1, [0x80]), now: .zero) }
    var ready = session()
    _ = try? ready.receive(.connectAcknowledgement(hasSession: false, code: 0), now: .zero)
    #expect(throws: MQTTFault.self) {
      try ready.receive(.connectAcknowledgement(hasSession: false, code: 0), now: .zero)
    }
  }

  @Test func silenceIsNoticed() throws {
    var session = session()
    #expect(try session.tick(now: .seconds(15)) == nil)
    #expect(throws: MQTTFault.self) { try session.tick(now: .seconds(16)) }
    _ = try session.receive(.connectAcknowledgement(hasSession: false, code: 0), now: .zero)
    session.noteSent(now: .seconds(20))
    #expect(try session.tick(now: .seconds(49)) == nil)
    #expect(try session.tick(now: .seconds(50)) == .ping)
    #expect(try session.tick(now: .seconds(65)) == nil)
    _ = try session.receive(.pingAnswer, now: .seconds(65))
    #expect(try session.tick(now: .seconds(80)) == .ping)
    #expect(throws: MQTTFault.self) { try session.tick(now: .seconds(96)) }
  }

  // MARK: Occupancy

  private func venue(_ spaces: String...) throws -> OccupancyMessages.Venue {
    OccupancyMessages.Venue(
      id: try #require(VenueID("office")), name: "The Office",
      spaces: spaces.map { ViewerSpace(id: SpaceID($0), floor: FloorOrdinal(0)) })
  }

  private func text(_ message: MQTTMessage) -> String { String(decoding: message.payload, as: UTF8.self) }

  @Test func statesHaveTheNumbersThatViewersSee() throws {
    let messages = OccupancyMessages(topic: "site/cordon", discovery: "homeassistant")
    let bin = ViewerBin(
      venue: try #require(VenueID("office")), start: .testStart, end: .testStart + ViewerBin.width,
      spaces: [SpaceID("hall"): 15])
    let states = messages.states(of: try venue("hall", "room/7 ä"), in: bin)
    #expect(
      states.map(\.topic) == ["site/cordon/office/hall/occupancy", "site/cordon/office/room%2F7%20%C3%A4/occupancy"])
    #expect(
      text(states[0]) == #"{"devices":15,"from":"2026-01-01T08:00:00.000Z","to":"2026-01-01T08:15:00.000Z"}"#)
    #expect(text(states[1]).hasPrefix(#"{"devices":0,"#) && states.allSatisfy(\.isRetained))
    #expect(
      messages.status(isOnline: true) == MQTTMessage("site/cordon/status", Array("online".utf8), isRetained: true))
    let will = messages.status(isOnline: false)
    #expect(text(will) == "offline" && will.isRetained && will.quality == 1)
  }

  @Test func spacesAreDescribedForHomeAssistant() throws {
    let messages = OccupancyMessages(topic: "cordon", discovery: "homeassistant")
    let descriptions = messages.descriptions(of: try venue("hall", "room"))
    #expect(descriptions.count == 2 && Set(descriptions.map(\.topic)).count == 2)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(descriptions[0].payload)) as? [String: Any])
    let id = try #require(object["unique_id"] as? String)
    #expect(descriptions[0].topic == "homeassistant/sensor/\(id)/config" && descriptions[0].isRetained)
    #expect(object["state_topic"] as? String == "cordon/office/hall/occupancy")
    #expect(object["availability_topic"] as? String == "cordon/status")
    #expect(object["value_template"] as? String == "{{ value_json.devices }}")
    #expect((object["device"] as? [String: Any])?["name"] as? String == "The Office")
    let removals = messages.removals(of: [SpaceID("hall")], in: try venue().id)
    #expect(removals.map(\.topic) == ["cordon/office/hall/occupancy", descriptions[0].topic])
    #expect(removals.allSatisfy { $0.payload.isEmpty && $0.isRetained })
    #expect(OccupancyMessages(topic: "cordon", discovery: nil).descriptions(of: try venue("hall")).isEmpty)
  }

  // MARK: OwnTracks

  @Test func aTopicNamesTheDeviceAndItsSecret() throws {
    let inlet = OwnTracksInlet(base: "site/owntracks")
    #expect(inlet.filter == "site/owntracks/+/+")
    let request = try #require(inlet.request(of: MQTTMessage("site/owntracks/phone-1/s3cret", Array("{}".utf8))))
    #expect(request.method == "POST" && request.path == "/owntracks" && request.body == Array("{}".utf8))
    let header = "Basic " + Data("phone-1:s3cret".utf8).base64EncodedString()
    #expect(request.header("authorization") == header)
    for topic in [
      "site/owntracks/a", "site/owntracks/a/b/c", "site/owntracks//b", "site/owntracks/a/", "other/a/b",
      "site/owntracks/a:b/c", "site/owntracksa/b/c",
    ] {
      #expect(inlet.request(of: MQTTMessage(topic, [])) == nil, "\(topic)")
    }
    #expect(
      [200, 204, 400, 401, 410, 422, 429, 500, 503].map { OwnTracksInlet.outcome(ofStatus: $0) }
        == [.taken, .taken, .refused, .refused, .refused, .refused, .refused, .later, .later])
  }

  @Test func topicsAreChecked() {
    for topic in ["cordon", "a/b", "owntracks-1"] { #expect(MQTTSettings.isTopic(topic)) }
    for topic in ["", "/a", "a/", "a//b", "a/+", "a#", "$SYS", "a b"] { #expect(!MQTTSettings.isTopic(topic)) }
  }
}
