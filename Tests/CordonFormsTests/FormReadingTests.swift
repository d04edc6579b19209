import CordonForms
import CordonSupport
import CordonWire
import Testing

@Suite("Documents of forms")
struct FormReadingTests {
  @Test func aFormReadsBackFromItsOwnDocument() throws {
    let form = try SampleForm.form()
    #expect(form.id == "clinic-visit" && form.version == 2 && form.items.count == 13)
    #expect(form.title.text(in: "de") == "Besuch einer Klinik" && form.title.text(in: "fr") == "Visit of a clinic")
    #expect(try Form(json: form.json) == form)
    #expect(try Form(document: Array(form.json.text(pretty: true).utf8)) == form)
    #expect(
      form.allFields.count == 14 && form.allFields.contains { $0.groups == ["contacts"] && $0.field.name == "mask" })
  }

  /// A document with one item, or with the given items.
  private static func document(_ items: String) -> [UInt8] {
    Array(#"{"form": "f", "version": 1, "title": "T", "items": [\#(items)]}"#.utf8)
  }

  @Test(
    arguments: [
      (#"{"name": "a", "type": "numbr"}"#, "items[0].type: 'numbr' is not a type of answers (did you mean 'number'?)"),
      (
        #"{"name": "A", "type": "text"}"#,
        "items[0].name: has to be lower-case letters, digits and '_', beginning with a letter"
      ),
      (#"{"name": "not", "type": "text"}"#, "items[0].name: 'not' is a word of conditions"),
      (
        #"{"name": "a", "type": "text", "requird": true}"#,
        "items[0]: 'requird' is not a known key (did you mean 'required'?)"
      ),
      (#"{"name": "a", "type": "choice"}"#, "items[0]: a list needs options"),
      (
        #"{"name": "a", "type": "choice", "options": ["x", "x"]}"#, "items[0].options[1]: the option 'x' is there twice"
      ),
      (#"{"name": "a", "type": "scale", "min": 0}"#, "items[0]: a scale needs min and max"),
      (#"{"name": "a", "type": "number", "min": 3, "max": 2}"#, "items[0]: min is greater than max"),
      (#"{"name": "a", "type": "text", "unit": "m"}"#, "items[0].unit: does not go with the type 'text'"),
      (
        #"{"name": "a", "type": "date", "max": "2026-02-30"}"#,
        "items[0].max: has to be a day such as 2026-01-31, or today"
      ),
      (#"{"name": "a", "type": "number", "max": 5, "default": 6}"#, "items[0].default: has to be at most 5"),
      (#"{"name": "a", "type": "text"}, {"name": "a", "type": "text"}"#, "items[1]: the name 'a' is used twice"),
      (#"{"group": "g", "items": []}"#, "items[0]: a group needs at least one field"),
      (
        #"{"group": "g", "repeat": {"min": 4, "max": 2}, "items": [{"name": "a", "type": "text"}]}"#,
        "items[0].repeat: min is greater than max"
      ),
      (
        #"{"name": "a", "type": "text", "label": {"fr": "x"}}"#,
        "items[0].label: 'fr' is not a language of the form (en)"
      ),
      (#"{"name": "a", "type": "number", "calculate": "1 +"}"#, "items[0].calculate: character 4: expected a value"),
      (#"{"name": "a", "type": "number", "show_if": "b > 1"}"#, "items[0].show_if: there is no field 'b'"),
      (#"{"name": "a", "type": "number", "show_if": "a + 1"}"#, "items[0].show_if: has to be a condition"),
      (
        #"{"name": "a", "type": "number", "calculate": "a + 1"}"#, "items: the conditions and formulas form a circle: a"
      ),
      (
        #"{"name": "a", "type": "toggle", "show_if": "b"}, {"name": "b", "type": "toggle", "show_if": "a"}"#,
        "items: the conditions and formulas form a circle: a, b"
      ),
      (
        #"{"name": "a", "type": "choice", "options": ["yes", "no"]}, {"name": "b", "type": "text", "show_if": "a = 'yess'"}"#,
        "items[1].show_if: 'a' has no option 'yess' (did you mean 'yes'?)"
      ),
      (
        #"{"name": "a", "type": "text"}, {"name": "b", "type": "text", "show_if": "a > 1"}"#,
        "items[1].show_if: '>' compares a text with a number"
      ),
    ])
  func aFaultHasItsPlace(items: String, message: String) {
    let error = #expect(throws: FormError.self) { try Form(document: Self.document(items)) }
    #expect(error?.description == message)
  }

  @Test func aGroupThatHidesItselfIsACircle() {
    let error = #expect(throws: FormError.self) {
      try Form(
        document: Self.document(#"{"group": "g", "show_if": "count(g) > 0", "items": [{"name": "a", "type": "text"}]}"#)
      )
    }
    #expect(error?.message.contains("circle") == true)
  }

  @Test func brokenJSONNamesItsLine() {
    let error = #expect(throws: FormError.self) { try Form(document: Array("{\n\"form\": }".utf8)) }
    #expect(error?.description.hasPrefix("line 2: is not JSON") == true, "\(String(describing: error))")
    let deep =
      String(repeating: #"{"group": "g", "items": ["#, count: 5) + #"{"name": "a", "type": "text"}"#
      + String(repeating: "]}", count: 5)
    let nested = #expect(throws: FormError.self) { try Form(document: Self.document(deep)) }
    #expect(nested?.message == "groups lie more than 4 deep")
  }

  /// Reading never traps, whatever bytes are changed.
  @Test func damagedDocumentsAreErrorsOrForms() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0..<1 << 32, using: &random)
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let bytes = Array(SampleForm.document.utf8)
    var read = 0
    for _ in 0..<400 {
      var copy = bytes
      for _ in 0...next(3) {
        let place = next(copy.count)
        if next(2) == 0 {
          copy[place] = UInt8(next(256))
        } else {
          copy.removeSubrange(place..<min(place + next(9), copy.count))
        }
      }
      if let form = try? Form(document: copy) {
        read += 1
        #expect((try? Form(json: form.json)) == form, "seed \(seed)")
      }
    }
    #expect(read < 400, "seed \(seed)")
  }
}
