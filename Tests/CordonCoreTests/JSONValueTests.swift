import CordonCore
import CordonSupport
import Testing

@Suite("Writing JSON")
struct JSONValueTests {
  @Test func keepsTheOrderOfKeysAndTheShortestNumbers() {
    let value: JSONValue = [
      "schema": "cordon.test/1", "b": 1, "a": [0.1, 2.0, -0.5, 1e300], "none": nil, "yes": true, "empty": [], "no": [:],
    ]
    #expect(
      value.text()
        == #"{"schema":"cordon.test/1","b":1,"a":[0.1,2,-0.5,1e+300],"none":null,"yes":true,"empty":[],"no":{}}"#)
  }

  /// Each alone, so that nothing else in the text causes an escape.
  @Test(arguments: [
    ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\r", #"\r"#), ("\t", #"\t"#), ("\u{0}", #"\u0000"#),
    ("\u{1f}", #"\u001f"#), ("\u{7f}", #"\u007f"#), ("<", #"\u003c"#), ("\u{2028}", #"\u2028"#),
    ("\u{2029}", #"\u2029"#), (" ", " "), ("~", "~"), ("é", "é"), ("€", "€"), ("😀", "😀"),
  ])
  func everyCharacterIsEscapedAsRequired(character: String, written: String) {
    for text in ["", "a", "aé"] {
      #expect(JSONValue.string(text + character + text).text() == "\"" + text + written + text + "\"")
    }
  }

  @Test func charactersUnsafeInPagesAreEscaped() {
    let value = JSONValue.string("a\"b\\c\n\u{1}</script>\u{2028}é")
    #expect(value.text() == #""a\"b\\c\n\u0001\u003c/script>\u2028é""#)
  }

  @Test func nonFiniteNumbersBecomeNull() {
    #expect(JSONValue.array([.number(.nan), .number(.infinity)]).text() == "[null,null]")
  }

  @Test func prettyTextIndents() {
    let value: JSONValue = ["a": [1, ["b": 2]]]
    #expect(value.text(pretty: true) == "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    }\n  ]\n}")
  }
}
