import CordonCore
import CordonWire
import Testing

@Suite("Messages between device and server")
struct DeviceMessagesTests {
  /// Texts of everything that has to be escaped, or has several bytes.
  private static func text(_ random: inout RandomStream, atMost limit: Int = 20) -> String {
    let letters: [Unicode.Scalar] = [
      "a", "Z", "0", "\"", "\\", "/", "<", "\n", "\u{1}", "\u{7f}", "ü", "語", "\u{202e}", "\u{1f600}",
    ]
    var text = ""
    for _ in 0..<random.nextIndex(below: limit / 4 + 1) {
      text.unicodeScalars.append(letters[random.nextIndex(below: letters.count)])
    }
    return text
  }

  private static func time(_ random: inout RandomStream) -> Instant {
    Instant(milliseconds: Int64(random.nextIndex(below: 4_102_444_800_001)))
  }

  private func roundTrip<Message: DeviceMessage>(_ message: Message) throws {
    let bytes = message.encoded()
    #expect(try Message(decoding: bytes) == message, "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test func everyMessageIsReadAsItWasWritten() throws {
    var random = RandomStream(seed: 11, stream: 4)
    for turn in 0..<500 {
      let has = turn % 2 == 0
      try roundTrip(
        DeviceMessages.Activation(
          code: Self.text(&random), type: Self.text(&random), secret: has ? Self.text(&random) : nil))
      try roundTrip(DeviceMessages.Activated(secret: Self.text(&random), venue: has ? VenueID("venue-\(turn)") : nil))
      try roundTrip(DeviceMessages.Proof(secret: Self.text(&random, atMost: 128)))
      try roundTrip(DeviceMessages.Token(token: Self.text(&random), expires: Self.time(&random)))
      let purposes = DeviceMessages.Consent.allPurposes.prefix(turn % 3)
      var grants: [String: DeviceMessages.Consent.Grant] = [:]
      for purpose in purposes { grants[purpose] = .init(version: Self.text(&random), time: Self.time(&random)) }
      try roundTrip(
        DeviceMessages.Consent(
          version: Self.text(&random), purposes: Array(purposes), time: Self.time(&random), grants: has ? grants : nil))
      let device = try #require(DeviceID("device \"\(turn)\" ü/<"))
      try roundTrip(
        DeviceMessages.Receipt(
          device: device, erased: Self.time(&random), locations: Int64(random.nextIndex(below: 1 << 40))))
    }
  }

  /// The bytes of the messages are part of the interface: other devices and servers write and read them too.
  @Test func theBytesAreThoseOfTheInterface() throws {
    func text(_ message: some DeviceMessage) -> String { String(decoding: message.encoded(), as: UTF8.self) }
    let time = Instant(milliseconds: 1_767_254_400_000)
    #expect(text(DeviceMessages.Activation(code: "ABC", type: "phone")) == #"{"code":"ABC","type":"phone"}"#)
    #expect(text(DeviceMessages.Activated(secret: "s", venue: VenueID("v"))) == #"{"secret":"s","venue":"v"}"#)
    #expect(text(DeviceMessages.Proof(secret: "s")) == #"{"secret":"s"}"#)
    #expect(text(DeviceMessages.Token(token: "t", expires: time)) == #"{"token":"t","expires":1767254400000}"#)
    #expect(
      text(
        DeviceMessages.Consent(
          version: "2", purposes: ["record", "share"], time: time,
          grants: ["share": .init(version: "2", time: time), "record": .init(version: "1", time: .epoch)]))
        == #"{"grants":{"record":{"time":0,"version":"1"},"share":{"time":1767254400000,"version":"2"}},"#
        + #""purposes":["record","share"],"time":1767254400000,"version":"2"}"#)
    #expect(
      text(DeviceMessages.Receipt(device: try #require(DeviceID("d")), erased: time, locations: 3))
        == #"{"device":"d","erased":1767254400000,"locations":3}"#)
  }

  @Test(arguments: [
    (#"{"token":7,"expires":1}"#, "token"), (#"{"token":"t"}"#, "expires"),
    (#"{"token":"t","expires":null}"#, "expires"),
    (#"{"token":"t","expires":1.5}"#, "expires"), (#"{"token":["t"],"expires":1}"#, "token"),
  ])
  func aFaultNamesItsMember(_ body: String, _ field: String) {
    do throws(WireError) {
      _ = try DeviceMessages.Token(decoding: Array(body.utf8))
      Issue.record("\(body) was read")
    } catch {
      #expect(error.kind == .badMember && error.field == field)
    }
  }

  @Test func membersOfNoUseAreSkipped() throws {
    let deep = String(repeating: "{\"a\":", count: 20) + "1" + String(repeating: "}", count: 20)
    let body = #"{"x":[1,"a",{"b":[]}],"y":\#(deep),"z":1e999,"token":"t","expires":5.0,"w":[[["a"]]],"v":null}"#
    let token = try DeviceMessages.Token(decoding: Array(body.utf8))
    #expect(token == DeviceMessages.Token(token: "t", expires: Instant(milliseconds: 5)))
    for bad in ["", "[]", "{", #"{"token":"t","expires":1}x"#, #"{"a":{"b":}}"#, #"{"a":[1,}"#] {
      #expect(throws: WireError.self, "\(bad)") { try DeviceMessages.Token(decoding: Array(bad.utf8)) }
    }
  }

  @Test func objectsAndListsHaveLimits() throws {
    let limit = JSONMembers.maximumCount
    func object(_ count: Int) -> [UInt8] {
      Array("{\((0..<count).map { "\"m\($0)\":1" }.joined(separator: ","))}".utf8)
    }
    #expect(try JSONMembers(object(limit)).number("m7") == 1)
    #expect(throws: WireError.self) { try JSONMembers(object(limit + 1)) }
    func list(_ count: Int) -> [UInt8] {
      Array("{\"l\":[\(Array(repeating: "\"a\"", count: count).joined(separator: ","))]}".utf8)
    }
    #expect(try JSONMembers(list(limit)).list("l").count == limit)
    #expect(throws: WireError.self) { try JSONMembers(list(limit + 1)).list("l") }
  }
}
