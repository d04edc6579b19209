import CordonCore
import CordonIngest
import CordonTestSupport
import Testing

@testable import CordonOperators

@Suite("Passwords and one-time codes") struct PasswordTests {
  private static let cost = PasswordHash.Cost(logarithm: 4, blockSize: 8, passes: 1)

  /// The vectors of RFC 7914, section 12, that take less than a second.
  @Test func scryptHasTheVectorsOfTheRFC() {
    func hex(_ bytes: [UInt8]?) -> String {
      (bytes ?? []).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }
    let first = PasswordHash.derived(
      "password", .init(logarithm: 10, blockSize: 8, passes: 16), Array("NaCl".utf8), count: 64)
    #expect(
      hex(first)
        == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
    )
    let second = PasswordHash.derived(
      "pleaseletmein", .init(logarithm: 14, blockSize: 8, passes: 1), Array("SodiumChloride".utf8), count: 64)
    #expect(
      hex(second)
        == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
    )
  }

  @Test func aHashIsReadAsItIsWritten() throws {
    let hash = try #require(PasswordHash(of: "correct horse battery", cost: Self.cost, salt: Array(0..<16)))
    #expect(hash.text.hasPrefix("$scrypt$ln=4,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$"))
    let read = try #require(PasswordHash(hash.text))
    #expect(read == hash)
    #expect(read.matches("correct horse battery"))
    #expect(!read.matches("correct horse batterz"))
    #expect(!read.matches(""))
    let other = try #require(PasswordHash(of: "correct horse battery", cost: Self.cost, salt: Array(1..<17)))
    #expect(other.text != hash.text, "salted")
  }

  /// An accent is one character or two, depending on the keyboard.
  @Test func composedAndDecomposedLettersAreTheSame() throws {
    let hash = try #require(PasswordHash(of: "caf\u{e9} au lait", cost: Self.cost, salt: Array(0..<16)))
    #expect(hash.matches("cafe\u{301} au lait"))
  }

  @Test(
    arguments: [
      "", "$scrypt$", "plain", "$scrypt$ln=4,r=8,p=1$AAAA", "$scrypt$ln=30,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=4,r=8$AAAA$AAAAAAAAAAAAAAAAAAAAAA", "$bcrypt$ln=4,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
      "$scrypt$ln=4,r=8,p=1$AAAA$", "$scrypt$ln=18,r=16,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
    ])
  func anythingElseIsNoHash(_ text: String) { #expect(PasswordHash(text) == nil) }

  @Test func shortAndSimplePasswordsAreRefused() {
    #expect(PasswordRules.issue(with: "short", names: []) != nil)
    #expect(PasswordRules.issue(with: "aaaaaaaaaaaaaaaa", names: []) != nil)
    #expect(PasswordRules.issue(with: "I am Ada.Example!", names: ["ada.example"]) != nil)
    #expect(PasswordRules.issue(with: String(repeating: "abcdefgh", count: 40), names: []) != nil)
    #expect(PasswordRules.issue(with: "correct horse battery", names: ["ada"]) == nil)
  }

  /// RFC 6238, appendix B, for SHA-1.
  @Test(
    arguments: [
      (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
      (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ] as [(Int64, String)])
  func codesHaveTheVectorsOfTheRFC(_ seconds: Int64, _ code: String) {
    let codes = OneTimeCode(secret: Array("12345678901234567890".utf8), digits: 8)
    #expect(codes.code(OneTimeCode.counter(at: Instant(milliseconds: seconds * 1_000))) == code)
  }

  @Test func aCodeIsGoodForItsStepAndTheNeighbours() {
    let codes = OneTimeCode(secret: Array("12345678901234567890".utf8))
    let now = Instant(milliseconds: 1_700_000_000_000)
    let counter = OneTimeCode.counter(at: now)
    for offset in -1...1 as ClosedRange<Int64> {
      #expect(codes.matchingCounter(codes.code(counter + offset), at: now) == counter + offset)
    }
    for offset in [-3, -2, 2, 3] as [Int64] {
      #expect(codes.matchingCounter(codes.code(counter + offset), at: now) == nil)
    }
    let spaced = codes.code(counter).prefix(3) + " " + codes.code(counter).suffix(3)
    #expect(codes.matchingCounter(String(spaced), at: now) == counter)
    #expect(codes.matchingCounter("", at: now) == nil)
  }

  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("foobar", "MZXW6YTBOI"),
  ])
  func base32HasTheVectorsOfTheRFC(_ text: String, _ encoded: String) {
    #expect(Base32.encode(Array(text.utf8)) == encoded)
  }

  @Test func theAddressForAnAppNamesTheAccount() {
    let codes = OneTimeCode(secret: Array("12345678901234567890".utf8))
    #expect(
      codes.address(account: "ada&x=1")
        == "otpauth://totp/Cordon:ada%26x%3D1?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Cordon"
    )
  }

  @Test func attemptsAreSlowedByNameAndByAddress() throws {
    let start = Instant(milliseconds: 1_700_000_000_000)
    var limiter = AttemptLimiter()
    for _ in 0..<5 {
      #expect(try limiter.wait(name: "ada", address: "1", now: start) == nil)
      try limiter.fail(name: "ada", address: "1", now: start)
    }
    #expect(try limiter.wait(name: "ada", address: "1", now: start) == nil, "five are free")
    try limiter.fail(name: "ada", address: "1", now: start)
    #expect(try limiter.wait(name: "ada", address: "1", now: start) == 2)
    #expect(try limiter.wait(name: "ada", address: "2", now: start) == nil, "the operator elsewhere is not locked out")
    #expect(try limiter.wait(name: "bob", address: "1", now: start) == nil)
    try limiter.fail(name: "ada", address: "1", now: start + .seconds(3))
    #expect(try limiter.wait(name: "ada", address: "1", now: start + .seconds(3)) == 4)
    for _ in 0..<30 { try limiter.fail(name: "ada", address: "1", now: start + .seconds(8)) }
    #expect(try limiter.wait(name: "ada", address: "1", now: start + .seconds(8)) == 900, "at most 15 minutes")
    #expect(try limiter.wait(name: "ada", address: "1", now: start + .hours(3)) == nil)
    // Many addresses do not help with one name, nor many names at one address.
    for address in 0..<60 { try limiter.fail(name: "eve", address: "a\(address)", now: start + .hours(3)) }
    #expect(try limiter.wait(name: "eve", address: "new", now: start + .hours(3)) == 30)
    for name in 0..<60 { try limiter.fail(name: "n\(name)", address: "9", now: start + .hours(3)) }
    #expect(try limiter.wait(name: "new", address: "9", now: start + .hours(3)) != nil)
  }
}
