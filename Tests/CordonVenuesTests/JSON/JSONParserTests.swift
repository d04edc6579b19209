import CordonCore
import Testing

@testable import CordonVenues

/// The parser of map files: strict, exact, and precise about the position of an error.
struct JSONParserTests {
  private func parse(_ text: String) throws(VenueError) -> JSONDocument { try parse(Array(text.utf8)) }

  private func parse(_ bytes: [UInt8], limits: VenueLimits = VenueLimits()) throws(VenueError) -> JSONDocument {
    try JSONDocument(bytes, file: "test.json", limits: limits)
  }

  private func error(_ text: String) -> VenueError? {
    do {
      _ = try parse(text)
      return nil
    } catch { return error }
  }

  @Test func valuesOfEveryKindAreRead() throws {
    let root = try parse(#" {"a":[1,-2.5,true,false,null,"x\n\u00e9\ud83d\ude00\"\\\/\b\f\r\t"],"b":{},"c":[]} "#).root
    let list = try #require(root["a"]).elements.map { $0 }
    #expect(list[0].int == 1 && list[1].double == -2.5 && list[2].bool == true && list[3].bool == false)
    #expect(list[4].isNull && list[5].string == "x\né😀\"\\/\u{8}\u{c}\r\t")
    #expect(root["b"]?.count == 0 && root["c"]?.isArray == true && root["d"] == nil)
    #expect(root.members.map(\.key) == ["a", "b", "c"])
  }

  @Test func numbersRoundLikeTheLibrary() throws {
    // Printed so that a failure can be repeated.
    let seed: UInt64 = 20_240_611
    print("seed \(seed)")
    var generator = SplitMix(state: seed)
    for _ in 0..<60_000 {
      let text: String
      switch generator.next() % 5 {
      case 0: text = "\(Double(Int64(bitPattern: generator.next()) % 180_000_000_000_000_000) / 1e15)"
      case 1: text = "-80.\(generator.next() % 1_000_000_000_000_000_000)"
      case 2: text = "\(generator.next()).\(generator.next() % 1000)"
      case 3: text = "\(generator.next() % 100_000_000_000_000_000)e-\(generator.next() % 40)"
      default: text = "\(generator.next() % 1_000_000)e\(Int(generator.next() % 600) - 320)"
      }
      guard let expected = Double(text), expected.isFinite else { continue }
      #expect(try parse(text).root.double == expected, "\(text)")
    }
  }

  @Test(arguments: [
    "0", "-0", "0.0", "1e0", "1E+2", "9007199254740993", "9223372036854775807", "18446744073709551615", "1e308",
    "5e-324",
    "2.2250738585072011e-308", "43.482934118025156", "-80.53578391671182", "0.1", "123456789012345678901234567890",
    "0.000000000000000000000000001", "7.2057594037927933e16",
  ])
  func hardNumbersRoundLikeTheLibrary(text: String) throws {
    let value = try #require(try parse(text).root.double)
    #expect(value == Double(text) && value.sign == Double(text)?.sign)
  }

  @Test(arguments: ["01", "1.", ".5", "-", "1e", "1e+", "+1", "0x10", "1 2", "--1", "-a"])
  func invalidNumbersAreRefused(text: String) { #expect(error(text)?.byteOffset != nil) }

  @Test(arguments: [
    (#"{"a":1"#, "truncated-json", 6), (#"{"a""#, "truncated-json", 4), ("[1,2", "truncated-json", 4),
    (#"["abc"#, "truncated-json", 5), ("", "truncated-json", 0), ("[tru", "truncated-json", 4),
    (#"{"a" 1}"#, "malformed-json", 5), ("[1 2]", "malformed-json", 3), ("[,]", "malformed-json", 1),
    (#"{1:2}"#, "malformed-json", 1), ("[] x", "malformed-json", 3), (#"["\x"]"#, "malformed-json", 2),
    (#"["\ud8"]"#, "malformed-json", 2), ("[\"a\nb\"]", "malformed-json", 3), ("nul1", "malformed-json", 3),
    ("[1}", "malformed-json", 2), (#"{"a":1,,}"#, "malformed-json", 7),
  ])
  func errorsHaveAnOffset(text: String, code: String, offset: Int) {
    let found = error(text)
    #expect(found?.code == code && found?.byteOffset == offset && found?.file == "test.json")
  }

  @Test func everyPrefixIsRefused() throws {
    let text = #"{"type":"FeatureCollection","features":[{"a":[1.5e3,true,null,"\u0041é"]}]}"#
    let bytes = Array(text.utf8)
    for length in bytes.indices {
      #expect(throws: VenueError.self) { try parse(Array(bytes[..<length])) }
    }
  }

  @Test func nestingHasALimit() {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(error(deep)?.code == "limit-exceeded")
    #expect(error(deep)?.byteOffset == 64)
    let legal = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(error(legal) == nil)
  }

  @Test func theNumberOfValuesHasALimit() {
    var limits = VenueLimits()
    limits.jsonValues = 4
    #expect(throws: Never.self) { try parse(Array("[1,2,3]".utf8), limits: limits) }
    #expect(throws: VenueError.self) { try parse(Array("[1,2,3,4]".utf8), limits: limits) }
  }

  @Test(arguments: [
    ([0x22, 0xC3, 0x22] as [UInt8], 1), ([0x22, 0x41, 0xC0, 0x80, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
    ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1), ([0x22, 0xE0, 0x80, 0x80, 0x22], 1),
    ([0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], 1),
    ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0x80, 0x22], 1), ([0x22, 0xE2, 0x82, 0x22], 1),
  ])
  func invalidUTF8IsReportedWithItsOffset(bytes: [UInt8], offset: Int) {
    let found = #expect(throws: VenueError.self) { try parse(bytes) }
    #expect(found?.code == "invalid-utf8" && found?.byteOffset == offset)
  }

  @Test func validUTF8OfEveryLengthIsRead() throws {
    #expect(try parse(#""aé€😀z 0123456789 long enough for eight at a time é""#).root.string?.unicodeScalars.count == 50)
  }

  @Test func toleratedViolationsAreReported() throws {
    let document = try parse([0xEF, 0xBB, 0xBF] + Array(#"{"a":[1,NaN,Infinity,-Infinity,1e400,],"a":2,}"#.utf8))
    #expect(document.root["a"]?.int == 2)
    #expect(
      document.remarks.map(\.kind) == [
        .byteOrderMark, .unusableNumber, .unusableNumber, .unusableNumber, .unusableNumber, .trailingComma,
        .trailingComma,
        .duplicateKey,
      ])
    #expect(document.remarks[1].offset == 11)
  }

  @Test func unusableNumbersAreIgnored() throws {
    let values = try parse("[NaN,1e400,-Infinity]").root.elements.map { $0 }
    #expect(values.allSatisfy { $0.double == nil && $0.int == nil && $0.identifier == nil })
  }

  @Test func theLastOfEqualKeysCountsInAnyNotation() throws {
    #expect(try parse(#"{"id":1,"i\u0064":2}"#).root["id"]?.int == 2)
    var text = "{"
    for index in 0..<500 { text += "\"key\(index)\":\(index)," }
    let document = try parse(text + "\"key7\":-7}")
    #expect(document.root.value(named: "key7")?.int == -7)
    #expect(document.remarks.map(\.kind) == [.duplicateKey])
  }

  @Test func pointersLeadToValues() throws {
    let root = try parse(#"{"a/b":[{"x":1},{"m~n":[10,20]}]}"#).root
    let value = try #require(root.value(named: "a/b")?.elements.dropFirst().first { _ in true }?.value(named: "m~n"))
    #expect(value.pointer == "/a~1b/1/m~0n")
    #expect(value.elements.map(\.pointer) == ["/a~1b/1/m~0n/0", "/a~1b/1/m~0n/1"])
    #expect(root.pointer == "")
  }

  @Test func sourceTextIsTheValueAsWritten() throws {
    let root = try parse(#"{"hours":[{"opens":"09:00, \"]"} ], "n" : 1.50 ,"s":"Mo-Fr"}"#).root
    #expect(root["hours"]?.sourceText == #"[{"opens":"09:00, \"]"} ]"#)
    #expect(root["n"]?.sourceText == "1.50" && root["s"]?.sourceText == "Mo-Fr")
  }

  @Test func identifiersAreTextsOrNumbers() throws {
    let values = try parse(#"["a","",7,-3,2.5,true,null]"#).root.elements.map(\.identifier)
    #expect(values == ["a", nil, "7", "-3", "2.5", nil, nil])
  }
}

/// SplitMix64, for repeatable test values.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
