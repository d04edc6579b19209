import CordonCore
import CordonTestSupport
import Testing

@testable import CordonServer

/// The bytes of packets, and bytes that are none.
@Suite("The codec of MQTT")
struct MQTTCodecTests {
  static let packets: [MQTTPacket] = [
    .connect(
      .init(
        client: "cordon", isClean: false, keepAlive: 30, user: "u", password: "p",
        will: MQTTMessage("cordon/status", Array("offline".utf8), isRetained: true, quality: 1))),
    .connect(.init(client: "", isClean: true, keepAlive: 0, user: nil, password: nil, will: nil)),
    .connectAcknowledgement(hasSession: true, code: 0), .connectAcknowledgement(hasSession: false, code: 5),
    .publish(MQTTMessage("a/b", Array("x".utf8)), number: 0, isRepeated: false, isCut: false),
    .publish(MQTTMessage("ä", [], isRetained: true, quality: 1), number: 65_535, isRepeated: true, isCut: false),
    .publish(MQTTMessage("big", [UInt8](repeating: 7, count: 100_000)), number: 0, isRepeated: false, isCut: false),
    .publishAcknowledgement(number: 258), .subscribe(number: 1, [.init(topic: "owntracks/+/+", quality: 1)]),
    .subscribeAcknowledgement(number: 1, [1, 0x80]), .ping, .pingAnswer, .disconnect,
  ]

  /// The example of section 3.1 of the standard, as far as it goes, and the lengths of section 2.2.3.
  @Test func bytesAreThoseOfTheStandard() {
    #expect(MQTTPacket.ping.encoded == [0xc0, 0] && MQTTPacket.disconnect.encoded == [0xe0, 0])
    #expect(Self.packets[1].encoded == [0x10, 12, 0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, 0, 0, 0])
    #expect(Self.packets[0].encoded[9] == 0xec, "user, password, will retained with quality 1, no clean session")
    #expect(MQTTPacket.publishAcknowledgement(number: 258).encoded == [0x40, 2, 1, 2])
    #expect(Self.packets[8].encoded.prefix(4) == [0x82, 18, 0, 1])
    for (count, bytes) in [
      (0, [0]), (127, [0x7f]), (128, [0x80, 1]), (16_383, [0xff, 0x7f]), (16_384, [0x80, 0x80, 1]),
      (268_435_455, [0xff, 0xff, 0xff, 0x7f]),
    ] as [(Int, [UInt8])] { #expect(MQTTPacket.length(count) == bytes) }
  }

  /// Every packet is read back, however the bytes are cut.
  @Test(arguments: [1, 2, 3, 7, 1_000_000])
  func packetsAreReadBack(size: Int) throws {
    let bytes = Self.packets.flatMap(\.encoded)
    var decoder = MQTTDecoder()
    var read: [MQTTPacket] = []
    // The large message takes its own pieces.
    let step = size < 100 ? max(size, 1) : size
    var place = 0
    while place < bytes.count {
      let end = min(place + (place > 400 && place < 100_000 ? max(step, 4_096) : step), bytes.count)
      decoder.feed(bytes[place..<end])
      while let packet = try decoder.next() { read.append(packet) }
      place = end
    }
    #expect(read == Self.packets)
  }

  /// A message beyond the limit keeps its topic and its number, and the packet behind it is read.
  @Test func aLargeMessageIsCut() throws {
    let large = MQTTMessage("big", [UInt8](repeating: 7, count: 3 << 20), quality: 1)
    let bytes = MQTTPacket.publish(large, number: 9, isRepeated: false, isCut: false).encoded + MQTTPacket.ping.encoded
    var decoder = MQTTDecoder()
    var read: [MQTTPacket] = []
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      decoder.feed(bytes[start..<min(start + 65_536, bytes.count)])
      while let packet = try decoder.next() { read.append(packet) }
    }
    #expect(
      read == [.publish(MQTTMessage("big", [], quality: 1), number: 9, isRepeated: false, isCut: true), .ping])
  }

  @Test(
    arguments: [
      [0x00, 0], [0xf0, 0], [0x10, 0xff, 0xff, 0xff, 0xff], [0x20, 1, 0], [0x20, 3, 0, 0, 0], [0x21, 2, 0, 0],
      [0x30, 2, 0, 0], [0x30, 3, 0, 9, 0x61], [0x30, 3, 0, 1, 0x2b], [0x30, 4, 0, 2, 0xff, 0xfe], [0x30, 3, 0, 1, 0],
      [0x36, 5, 0, 1, 0x61, 0, 1], [0x32, 5, 0, 1, 0x61, 0, 0], [0x40, 1, 0], [0x80, 2, 0, 1],
      [0x10, 4, 0, 2, 0x41, 0x42],
      [0x40, 0x80, 0x80, 0x20], [0xc0, 1, 0],
    ] as [[UInt8]])
  func otherBytesAreFaults(bytes: [UInt8]) {
    var decoder = MQTTDecoder()
    decoder.feed(bytes)
    do {
      // A length that is too large for all but messages shows with the bytes of the body.
      decoder.feed([UInt8](repeating: 0, count: bytes.count > 3 && bytes[3] == 0x20 ? 200_000 : 0))
      let packet = try decoder.next()
      Issue.record("read \(String(describing: packet))")
    } catch {
      #expect(!"\(error)".isEmpty)
    }
  }

  /// Random bytes never trap and never take more memory than the limit.
  @Test func randomBytesAreReadOrRefused() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &random)
    print("seed \(seed)")
    var state = seed
    for _ in 0..<2_000 {
      var decoder = MQTTDecoder()
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        withUnsafeBytes(of: state) { decoder.feed(Array($0.prefix(Int(state >> 61) + 1))) }
        while let packet = try? decoder.next() { _ = packet.encoded }
      }
    }
  }
}
