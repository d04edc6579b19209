import CordonCore
import CordonForms
import CordonSupport
import Foundation
import Testing

@Suite("Canonical JSON") struct CanonicalJSONTests {
  /// The samples of RFC 8785, appendix B.
  @Test func numbersAreWrittenAsInTheStandard() throws {
    let samples = [
      ("0", "0"), ("-0.0", "0"), ("5e-324", "5e-324"), ("-5e-324", "-5e-324"),
      ("1.7976931348623157e308", "1.7976931348623157e+308"), ("9007199254740992", "9007199254740992"),
      ("295147905179352830000", "295147905179352830000"), ("9.999999999999997e22", "9.999999999999997e+22"),
      ("1e23", "1e+23"), ("1.0000000000000001e23", "1.0000000000000001e+23"),
      ("999999999999999700000", "999999999999999700000"), ("1e21", "1e+21"),
      ("9.999999999999997e-7", "9.999999999999997e-7"), ("0.000001", "0.000001"),
      ("333333333.3333332", "333333333.3333332"), ("333333333.33333325", "333333333.33333325"),
      ("-0.0000033333333333333333", "-0.0000033333333333333333"), ("1424953923781206.2", "1424953923781206.2"),
      ("36.6", "36.6"), ("0.5", "0.5"), ("-1", "-1"),
    ]
    for (number, text) in samples { #expect(JSONValue.number(try #require(Double(number))).canonicalText == text) }
    #expect(JSONValue.integer(9_007_199_254_740_993).canonicalText == "9007199254740992")
  }

  @Test func keysAreInOrderAndTextsHaveTheLeastEscapes() {
    // The sample of RFC 8785, section 3.2.3: by UTF-16 code units, not by characters.
    let value: JSONValue = [
      "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\u{1F600}": "Emoji: Grinning Face", "\u{80}": "Control", "\u{f6}": "Latin Small Letter O With Diaeresis",
    ]
    let order = ["\\r", "1", "\u{80}", "\u{f6}", "\u{20ac}", "\u{1F600}", "\u{fb33}"]
    let text = value.canonicalText
    let places = order.compactMap { text.range(of: "\"\($0)\":")?.lowerBound }
    #expect(places.count == order.count && places == places.sorted())
    #expect(JSONValue.string("<\u{2028}\"\\\u{1}\n/").canonicalText == "\"<\u{2028}\\\"\\\\\\u0001\\n/\"")
    #expect((["b": [1, true, nil], "a": [:]] as JSONValue).canonicalText == #"{"a":{},"b":[1,true,null]}"#)
  }

  @Test func equalContentsHaveEqualIdentifiers() throws {
    let whole = FormRevision(
      record: "00000000-0000-4000-8000-000000000001", form: "f", version: 1, parents: [], device: "d",
      time: .epoch, answers: ["b": 37, "a": 0.5])
    let decimal = FormRevision(
      record: whole.record, form: "f", version: 1, parents: [], device: "d", time: .epoch,
      answers: ["a": 0.5, "b": 37.0])
    #expect(whole == decimal && whole.id == decimal.id)
    // What JSON.stringify and crypto.subtle of a browser give for these contents.
    #expect(whole.id == "fc912f2b6083da1c1a789945b6294f3b7845ee423e32acf4344697a3d5c2ec80")
  }
}
