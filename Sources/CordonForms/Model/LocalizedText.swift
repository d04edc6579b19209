package import CordonSupport

/// A text in one or several languages.
package struct LocalizedText: Hashable, Sendable {
  /// The texts by language code, in the order of the form's languages.
  package private(set) var texts: [Entry]

  /// The text in one language.
  package struct Entry: Hashable, Sendable {
    /// A language code of BCP 47, such as `de`.
    package var language: String
    /// The text.
    package var text: String
  }

  /// A text in the default language of a form.
  package init(_ text: String, language: String) { texts = [Entry(language: language, text: text)] }

  init(entries: [Entry]) { texts = entries }

  /// Returns the text in a language, otherwise in the first language that has one.
  package func text(in language: String) -> String {
    (texts.first { $0.language == language } ?? texts.first)?.text ?? ""
  }

  /// Whether the text exists in a language.
  package func exists(in language: String) -> Bool { texts.contains { $0.language == language } }

  /// The text as JSON: a string if there is only one language.
  package var json: JSONValue {
    if texts.count == 1 { return .string(texts[0].text) }
    return .object(texts.map { .init($0.language, .string($0.text)) })
  }
}
