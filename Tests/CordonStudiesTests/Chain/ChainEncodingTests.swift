import CordonSupport
import Testing

@testable import CordonStudies

@Suite("Encodings of a chain") struct ChainEncodingTests {
  private func hex(_ bytes: [UInt8]) -> String { String(Hexadecimal.text(bytes).dropFirst(2)) }

  @Test func keccakHasThePublishedDigests() {
    for (text, digest) in [
      ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
      ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
      ("testing", "5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02"),
    ] { #expect(hex(Keccak256.digest(Array(text.utf8))) == digest) }
    // Every length around a block of 136 bytes pads to whole blocks.
    #expect(Set((130...280).map { hex(Keccak256.digest(Array(repeating: 97, count: $0))) }).count == 151)
  }

  @Test func lengthsArePrefixedAsPublished() {
    func text(_ text: String) -> RLP { .bytes(Array(text.utf8)) }
    let empty = RLP.list([])
    let cases: [(RLP, String)] = [
      (text("dog"), "83646f67"), (.list([text("cat"), text("dog")]), "c88363617483646f67"), (text(""), "80"),
      (empty, "c0"), (.number(0), "80"), (.number(15), "0f"), (.number(1_024), "820400"), (.bytes([0]), "00"),
      (.list([empty, .list([empty]), .list([empty, .list([empty])])]), "c7c0c1c0c3c0c1c0"),
      (
        text("Lorem ipsum dolor sit amet, consectetur adipisicing elit"),
        "b838" + hex(Array("Lorem ipsum dolor sit amet, consectetur adipisicing elit".utf8))
      ),
    ]
    for (value, encoded) in cases { #expect(hex(value.encoded) == encoded) }
  }

  @Test func transactionsHaveThePublishedSigningHash() throws {
    // The example of EIP-155.
    let draft = TransactionDraft(
      nonce: 9, fee: .legacy(price: 20_000_000_000), gasLimit: 21_000,
      to: try #require(EthereumAddress("0x3535353535353535353535353535353535353535")),
      value: try #require(Hexadecimal.bytes("0x0de0b6b3a7640000")), data: [], chain: 1)
    #expect(
      hex(draft.signingBytes)
        == "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080")
    #expect(hex(draft.signingHash) == "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53")
  }

  @Test func addressesHaveTheirChecksum() {
    for text in [
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
      "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ] {
      #expect(EthereumAddress(text)?.description == text)
      #expect(EthereumAddress(text.lowercased())?.description == text)
      #expect(EthereumAddress(text.replacing("A", with: "a")) == nil || !text.contains("A"))
    }
    for text in [
      "", "0x12", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00", "0xzzAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    ] {
      #expect(EthereumAddress(text) == nil)
    }
  }

  @Test func aTransferIsTheCallOfTheContract() throws {
    let receiver = try #require(EthereumAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
    #expect(
      hex(TransactionDraft.transfer(to: receiver, amount: 1_000))
        == "a9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
        + String(repeating: "0", count: 61) + "3e8")
    // 10^18 units for each of 20 000: more than 64 bits.
    #expect(
      hex(TransactionDraft.transfer(to: receiver, amount: 20_000, times: 1_000_000_000_000_000_000)).hasSuffix(
        "00000000043c33c1937564800000"))
  }

  @Test func encodingsAreReadBack() {
    let values: [RLP] = [
      .bytes([]), .bytes([0]), .bytes([0x7f]), .bytes([0x80]), .bytes(Array(repeating: 1, count: 55)),
      .bytes(Array(repeating: 1, count: 56)), .bytes(Array(repeating: 1, count: 70_000)), .list([]),
      .list([.bytes([1]), .list([.bytes([]), .list([])]), .bytes(Array(repeating: 2, count: 300))]),
    ]
    for value in values { #expect(RLP(decoding: value.encoded) == value) }
    // Cut off, with more behind, with lengths that are longer than needed, and nested too deeply.
    let wrong: [[UInt8]] = [
      [], [0x81], [0x83, 1, 2], [0x01, 0x02], [0x81, 0x7f], [0xb8, 0x01, 0xff], [0xb9, 0x00, 0x38], [0xc2, 0x01],
      [0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0xc8, 0xc7, 0xc6, 0xc5, 0xc4, 0xc3, 0xc2, 0xc1, 0xc0],
    ]
    for bytes in wrong { #expect(RLP(decoding: bytes) == nil, "\(bytes)") }
  }

  @Test func quantitiesAreRead() {
    #expect(Hexadecimal.number("0x0") == 0 && Hexadecimal.number("0x5ea0f52d") == 1_587_606_829)
    for text in ["", "0x", "12", "0x-1", "0xzz", "0x10000000000000000"] { #expect(Hexadecimal.number(text) == nil) }
  }

  @Test func noncesAreWrittenAndRead() throws {
    let text = "1337/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed/20"
    let nonce = try #require(ChainNonce(text))
    #expect(nonce.description == text && nonce.number == 20 && nonce.account.chain == 1_337)
    for wrong in ["", "1337", "a/b/c", text.lowercased(), text + "/", "01337" + text.dropFirst(4)] {
      #expect(ChainNonce(wrong) == nil)
    }
  }
}
