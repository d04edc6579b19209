import CordonTestSupport
import Foundation
import Testing

@testable import CordonStudies

/// Signatures against published ones. They need libsecp256k1, which `scripts/setup --tests` installs.
@Suite("Signatures of transactions") struct SigningTests {
  static let library = try? Secp256k1()
  /// The key of the example of EIP-155, which everybody knows.
  static let keyText = String(repeating: "46", count: 32)

  private static let hasLibrary = ConditionTrait.enabled(
    if: library != nil, "scripts/setup --tests installs libsecp256k1")

  private func hex(_ bytes: [UInt8]) -> String { String(Hexadecimal.text(bytes).dropFirst(2)) }

  private func key(_ text: String = keyText) throws -> ChainKey {
    try ChainKey(contents: Array(text.utf8), library: try #require(Self.library))
  }

  @Test(hasLibrary) func theExampleOfEIP155IsSignedAsPublished() throws {
    let key = try key()
    #expect(key.address.description == "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F")
    let draft = TransactionDraft(
      nonce: 9, fee: .legacy(price: 20_000_000_000), gasLimit: 21_000,
      to: try #require(EthereumAddress("0x3535353535353535353535353535353535353535")),
      value: try #require(Hexadecimal.bytes("0x0de0b6b3a7640000")), data: [], chain: 1)
    let signed = draft.signed(try key.sign(draft.signingHash))
    #expect(
      hex(signed)
        == "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025"
        + "a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
        + "a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83")
  }

  /// A transfer of 1 000 units with a base fee; figures of eth-account 0.14.0.
  @Test(hasLibrary) func aTransferWithABaseFeeIsSignedAsByEthAccount() throws {
    let receiver = try #require(EthereumAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
    let draft = TransactionDraft(
      nonce: 7, fee: .market(maximum: 30_000_000_000, tip: 2_000_000_000), gasLimit: 100_000,
      to: try #require(EthereumAddress("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359")),
      data: TransactionDraft.transfer(to: receiver, amount: 1_000), chain: 11_155_111)
    let signed = draft.signed(try key().sign(draft.signingHash))
    #expect(
      hex(signed)
        == "02f8b483aa36a70784773594008506fc23ac00830186a094fb6916095ca1df60bb79ce92ce3ea74c37c5d35980b844a9059cbb"
        + "0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
        + "00000000000000000000000000000000000000000000000000000000000003e8"
        + "c001a0877ab41d23052702484a9829935bcfd9109f70aba52cd0846bf919ce446adc1b"
        + "a03efaed533ea2db850f9c20a545e68dc3a2f186b554974e4a557dcaee6a027808")
    #expect(hex(Keccak256.digest(signed)) == "4363c2949333c1f53bd1bb1cd146caefd5ce8c9c64b64c2a0c9c04cd67d072f1")
    #expect(draft.isSigned(in: signed))
  }

  /// The nonces are those of RFC 6979, so another program makes the same signatures: eth-account of PyPI.
  @Test(
    hasLibrary, .enabled(if: LocalChain.isAvailable, "scripts/setup --tests installs eth-account"),
    .timeLimit(.minutes(5)))
  func signaturesAreThoseOfEthAccount() throws {
    let receiver = try #require(EthereumAddress("0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB"))
    var lines = ""
    var ours: [String] = []
    for number in UInt64(0)..<24 {
      let key = try key(String(repeating: "0\(number % 9 + 1)", count: 31) + "a\(number % 10)")
      let fee: TransactionDraft.Fee =
        number % 2 == 0 ? .legacy(price: 1 << number) : .market(maximum: 1 << (number + 20), tip: number)
      let draft = TransactionDraft(
        nonce: number * 37, fee: fee, gasLimit: 90_000 + number, to: receiver,
        data: TransactionDraft.transfer(to: key.address, amount: number, times: .max), chain: 1 + number << 20)
      ours.append(hex(draft.signed(try key.sign(draft.signingHash))))
      var fields: [String: Any] = [
        "nonce": draft.nonce, "gas": draft.gasLimit, "to": receiver.description, "value": 0,
        "data": Hexadecimal.text(draft.data), "chainId": draft.chain,
      ]
      switch fee {
      case .legacy(let price): fields["gasPrice"] = price
      case .market(let maximum, let tip):
        fields["maxFeePerGas"] = maximum
        fields["maxPriorityFeePerGas"] = tip
        fields["type"] = 2
      }
      let line: [String: Any] = [
        "key": String(repeating: "0\(number % 9 + 1)", count: 31) + "a\(number % 10)", "transaction": fields,
      ]
      lines += String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self) + "\n"
    }
    let folder = try TemporaryFolder()
    let result = try TestProcess.run(
      LocalChain.python, [Places.file("Tests/Chain/sign.py").path], input: try folder.write(lines, to: "lines"))
    #expect(result.output.split(separator: "\n").map(String.init) == ours, "\(result.errors)")
  }

  @Test(hasLibrary) func aSignatureNamesItsSigner() throws {
    let library = try #require(Self.library)
    let key = try key()
    for number in UInt8(0)..<20 {
      let digest = Keccak256.digest([number])
      let signature = try key.sign(digest)
      #expect(try key.sign(digest) == signature)
      let point = try #require(library.publicKey(of: signature, digest: digest))
      #expect(EthereumAddress(publicKey: point) == key.address)
      var other = signature
      other.parity = 1 - other.parity
      #expect(library.publicKey(of: other, digest: digest) != point)
      // The smaller s of both, which chains require (EIP-2): the order's half begins with 7fffffff.
      #expect(signature.s[0] <= 0x7f)
    }
    #expect(library.publicKey(of: ChainSignature(r: [1], s: [2], parity: 0), digest: []) == nil)
  }

  @Test(
    hasLibrary,
    arguments: [
      "", "46", "0x", String(repeating: "0", count: 64), String(repeating: "f", count: 64),
      String(repeating: "4", count: 63) + "g", String(repeating: "46", count: 33), "-----BEGIN",
    ])
  func otherTextsAreNoKeys(_ text: String) {
    let error = #expect(throws: ChainKeyError.self) { try key(text) }
    #expect(error == .notAKey)
    #expect(text.count < 5 || !"\(ChainKeyError.notAKey)".contains(text))
  }

  @Test(hasLibrary) func aKeyIsReadWithPrefixAndLineEnd() throws {
    let address = try key().address
    for text in ["0x" + Self.keyText, Self.keyText + "\n", "0x" + Self.keyText + " \r\n"] {
      #expect(try key(text).address == address)
    }
  }

  /// Whatever prints a key prints its address.
  @Test(hasLibrary) func nothingPrintsTheKey() throws {
    let key = try key()
    var dumped = ""
    dump(key, to: &dumped)
    dump(TransferSigner.key(key), to: &dumped)
    for text in [dumped, "\(key)", String(reflecting: key), String(describing: [key]), "\(TransferSigner.key(key))"] {
      #expect(text.contains("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"), "\(text)")
      // 0x46 is 70.
      #expect(!text.contains("4646") && !text.contains("70, 70") && !text.contains("70\n"), "\(text)")
    }
  }

  @Test func aMissingLibraryIsNamed() {
    let error = #expect(throws: ChainKeyError.self) { try Secp256k1(names: ["libsecp256k1-of-nobody.so.1"]) }
    #expect(error == .noLibrary && "\(ChainKeyError.noLibrary)".contains("libsecp256k1-1"))
    // A library without the functions is none.
    #expect(throws: ChainKeyError.noLibrary) { try Secp256k1(names: ["libc.so.6", "libm.so.6"]) }
  }
}
