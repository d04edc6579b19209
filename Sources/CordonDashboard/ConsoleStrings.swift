import CConsolePages
import CordonSupport

/// The texts of the console: one table for each language, `Strings/en.json` and `Strings/de.json`, with the same keys.
package struct ConsoleStrings: Sendable {
  private let texts: [String: String]

  /// The table of a language.
  package static func table(_ language: ConsoleLanguage) -> ConsoleStrings {
    switch language {
    case .english: english
    case .german: german
    }
  }

  private static let english = ConsoleStrings(file(.english))
  private static let german = ConsoleStrings(file(.german))

  /// The file of a language.
  static func file(_ language: ConsoleLanguage) -> [UInt8] {
    switch language {
    case .english: embeddedFile(cordon_console_en_json)
    case .german: embeddedFile(cordon_console_de_json)
    }
  }

  /// Reads a table; one that is not an object of texts is empty, which a test notices.
  init(_ bytes: [UInt8]) {
    var texts: [String: String] = [:]
    for (key, text) in FlatTable.read(bytes) { texts[key] = text }
    self.texts = texts
  }

  /// The keys, in order.
  package var keys: [String] { texts.keys.sorted() }

  /// Returns the text of a key with its `{name}` places filled; the key itself where there is no text.
  package func text(_ key: String, _ values: [String: String] = [:]) -> String {
    var text = texts[key] ?? key
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { text = text.replacing("{\(name)}", with: value) }
    return text
  }

  /// The table as an ES module, for the scripts of pages.
  static func module(_ language: ConsoleLanguage) -> String {
    let table = table(language)
    let members = table.keys.map { JSONValue.Member($0, .string(table.text($0))) }
    return """
      export const language = "\(language.rawValue)";
      export const table = \(JSONValue.object(members).text());

      """
  }
}

/// A reader of flat JSON objects whose values are texts.
enum FlatTable {
  /// Returns the members of an object in their order; up to the first fault.
  static func read(_ bytes: [UInt8]) -> [(key: String, text: String)] {
    var members: [(String, String)] = []
    var rest = bytes[...]
    var key: String?
    while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
      rest = rest[(start + 1)...]
      guard let text = string(&rest) else { break }
      if let known = key {
        members.append((known, text))
        key = nil
      } else {
        key = text
      }
    }
    return members
  }

  /// Reads a string behind its opening quotation mark; `nil` when it does not end.
  private static func string(_ rest: inout ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
      case let escaped?: bytes.append(escaped)
      case nil: return nil
      }
    }
    return nil
  }
}
