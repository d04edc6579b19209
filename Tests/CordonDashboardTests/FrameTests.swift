import CordonTestSupport
import Foundation
import Testing

@testable import CordonDashboard

@Suite("Documents of the console") struct FrameTests {
  @Test func everyPageIsWholeInEveryLanguageAndTheme() throws {
    for page in ConsolePage.served {
      for language in ConsoleLanguage.allCases {
        for theme in ConsoleTheme.allCases {
          let text = String(decoding: PageFrame(page: page, language: language, theme: theme).bytes, as: UTF8.self)
          #expect(!text.contains("{{"), "\(page) \(language): a place of the template is not filled")
          #expect(text.contains("<html lang=\"\(language.rawValue)\">"))
          #expect(text.contains("/console/assets/\(theme.styleName)"))
          let script = try #require(ConsoleAsset.at("/console/assets/\(page.rawValue).js"), "\(page) has no script")
          #expect(!script.bytes.isEmpty)
        }
      }
    }
  }

  /// The content policy allows neither, and a page must not depend on other origins.
  @Test func documentsHaveNoInlineScriptAndNoOtherOrigin() {
    for page in ConsolePage.served {
      let text = String(decoding: PageFrame(page: page, language: .english, theme: .dark).bytes, as: UTF8.self)
      #expect(!text.contains(" style=\""))
      #expect(!text.contains("://"))
      #expect(
        text.ranges(of: "<script").count == text.ranges(of: "<script type=\"module\" src=\"/console/assets/").count)
      #expect(text.ranges(of: " on").allSatisfy { !text[$0.upperBound...].prefix(12).contains("=\"") })
    }
  }

  @Test func theCurrentPageAndChoicesAreMarked() {
    let text = String(decoding: PageFrame(page: .status, language: .german, theme: .light).bytes, as: UTF8.self)
    #expect(text.contains("<a href=\"/console/status\" aria-current=\"page\">Serverstatus</a>"))
    #expect(text.ranges(of: "aria-current=\"page\"").count == 1)
    #expect(text.contains("lang=\"de\" aria-current=\"true\">Deutsch</a>"))
    #expect(text.contains("aria-current=\"true\">Hell</a>"))
  }

  @Test func aGivenMainPartReplacesTheEmptyOne() {
    let frame = PageFrame(page: .signIn, language: .english, theme: .automatic, main: "<form id=\"mine\"></form>")
    let text = String(decoding: frame.bytes, as: UTF8.self)
    #expect(text.contains("<form id=\"mine\"></form>"))
    #expect(!text.contains("id=\"page\""))
  }
}

@Suite("Texts of the console") struct StringsTests {
  @Test func bothLanguagesHaveTheSameKeysAndPlaces() {
    let (english, german) = (ConsoleStrings.table(.english), ConsoleStrings.table(.german))
    #expect(english.keys == german.keys)
    #expect(english.keys.count > 100)
    for key in english.keys {
      #expect(Self.places(english.text(key)) == Self.places(german.text(key)), "\(key)")
      #expect(!english.text(key).isEmpty && !german.text(key).isEmpty, "\(key)")
    }
  }

  private static func places(_ text: String) -> Set<String> {
    Set(text.matches(of: /\{(\w+)\}/).map { String($0.output.1) })
  }

  /// Every key that a script names has a text; keys that are put together are looked up by their beginning.
  @Test func everyKeyOfTheScriptsHasAText() throws {
    let keys = Set(ConsoleStrings.table(.english).keys)
    for (name, bytes) in ConsoleScripts.all {
      let text = String(decoding: bytes, as: UTF8.self)
      for match in text.matches(of: /\bt\("([a-z0-9.-]+)"/) {
        let key = String(match.output.1)
        #expect(keys.contains(key) || keys.contains(key + ".other"), "\(name): \(key)")
      }
    }
    for page in ConsolePage.allCases { #expect(keys.contains(page.titleKey)) }
  }

  @Test func theTablesAreJSONWhoseTextsAreReadExactly() throws {
    let texts = FlatTable.read(Array(#"{"a": "x\"y\\z\n", "b": "ü {n}"}"#.utf8))
    #expect(texts.map(\.key) == ["a", "b"])
    #expect(texts.map(\.text) == ["x\"y\\z\n", "ü {n}"])
    #expect(FlatTable.read(Array(#"{"a": "cut"#.utf8)).isEmpty)
    for language in [ConsoleLanguage.english, .german] {
      let table = try #require(
        JSONSerialization.jsonObject(with: Data(ConsoleStrings.file(language))) as? [String: String])
      let strings = ConsoleStrings.table(language)
      #expect(table.keys.sorted() == strings.keys)
      for (key, text) in table { #expect(strings.text(key) == text) }
    }
  }

  @Test func placesAreFilled() {
    #expect(ConsoleStrings.table(.english).text("error.failed", ["detail": "x"]) == "This failed: x")
    #expect(ConsoleStrings.table(.english).text("no.such.key") == "no.such.key")
  }
}

@Suite("Files of the console") struct AssetTests {
  @Test func everyImportedModuleIsServed() throws {
    for name in ConsoleAsset.names where name.hasSuffix(".js") {
      let asset = try #require(ConsoleAsset.at(ConsoleAsset.folder + name))
      let text = String(decoding: asset.bytes, as: UTF8.self)
      for match in text.matches(of: /from "\.\/([a-z0-9-]+\.js)"/) {
        #expect(ConsoleAsset.at(ConsoleAsset.folder + match.output.1) != nil, "\(name) imports \(match.output.1)")
      }
    }
    #expect(ConsoleAsset.at("/console/assets/../secret") == nil)
    #expect(ConsoleAsset.at("/elsewhere/parts.js") == nil)
  }

  /// Names of devices and notes are text, whatever they contain.
  @Test func scriptsMakeNoMarkupOfText() {
    for (name, bytes) in ConsoleScripts.all {
      let text = String(decoding: bytes, as: UTF8.self)
      for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "console."] {
        #expect(!text.contains(word), "\(name): \(word)")
      }
    }
  }

  @Test func tagsDifferWithContents() {
    let tags = ConsoleAsset.names.compactMap { ConsoleAsset.at(ConsoleAsset.folder + $0)?.tag }
    #expect(Set(tags).count == ConsoleAsset.names.count)
  }

  /// A chosen theme answers the media query in advance, so that no script sets colours.
  @Test func themesAnswerTheMediaQuery() throws {
    func style(_ theme: ConsoleTheme) throws -> String {
      String(decoding: try #require(ConsoleAsset.at(ConsoleAsset.folder + theme.styleName)).bytes, as: UTF8.self)
    }
    #expect(try style(.automatic).contains("@media screen and (prefers-color-scheme: dark)"))
    #expect(try !style(.dark).contains("prefers-color-scheme"))
    #expect(try style(.light).contains("@media not all {"))
  }

  @Test(arguments: [
    ("de-DE,de;q=0.9,en;q=0.8", "de"), ("en;q=0.5,de;q=0.7", "de"), ("fr,en", "en"), ("", "en"), ("xx;q=1", "en"),
  ]) func theLanguageIsThatOfTheBrowser(_ header: String, _ tag: String) {
    #expect(ConsoleLanguage(accepted: header).rawValue == tag)
  }
}
