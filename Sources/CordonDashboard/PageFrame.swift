import CConsolePages
import CordonRun
import CordonSupport

/// A page of the console as a document: navigation, choices of language and colours, and a main part that is given or
/// that the script of the page fills.
///
/// ```swift
/// let document = PageFrame(page: .overview, language: .german, theme: .automatic).bytes
/// ```
///
/// A document without a main part of its own holds no data of a venue, so that caches may keep it. All texts are escaped.
package struct PageFrame: Sendable {
  /// The page.
  package var page: ConsolePage
  /// The language of its texts.
  package var language: ConsoleLanguage
  /// Its colours.
  package var theme: ConsoleTheme
  /// Pages that the navigation leaves out.
  package var omitted: Set<ConsolePage> = []
  /// HTML behind the heading; `nil` for an element that the script of the page fills.
  package var main: String?

  /// Creates a page.
  package init(page: ConsolePage, language: ConsoleLanguage, theme: ConsoleTheme, main: String? = nil) {
    self.page = page
    self.language = language
    self.theme = theme
    self.main = main
  }

  /// The document in UTF-8.
  package var bytes: [UInt8] {
    Array(
      HTMLText.fill(
        String(decoding: embeddedFile(cordon_console_frame_html), as: UTF8.self),
        [
          "language": language.rawValue, "page": page.rawValue, "title": text(page.titleKey),
          "style": ConsoleAsset.folder + theme.styleName, "scheme": theme == .automatic ? "light dark" : theme.rawValue,
          "skip": text("frame.skip"), "menu": text("frame.menu"), "navigation": navigation,
          "venue": text("frame.venue"), "noscript": text("frame.noscript"), "loading": text("frame.loading"),
          "languages": languages, "languagesLabel": text("frame.language"), "themes": themes,
          "themesLabel": text("frame.colours"), "signOut": text("frame.sign-out"), "main": main ?? emptyMain,
          "offline": text("frame.offline"), "home": page.isForPersons ? page.address : ConsolePage.start,
        ]
      ).utf8)
  }

  private func text(_ key: String) -> String { HTMLText.escaped(ConsoleStrings.table(language).text(key)) }

  private var emptyMain: String {
    "<div id=\"page\" aria-busy=\"true\"><p class=\"note\" id=\"loading\">\(text("frame.loading"))</p></div>"
  }

  private var navigation: String {
    // All other pages would ask participants to sign in as operators.
    guard !page.isForPersons else { return "" }
    let groups = ConsolePage.navigation.map { group in group.filter { !omitted.contains($0) } }.filter { !$0.isEmpty }
    return groups.map { group in
      let items = group.map { entry in
        let current = entry == page ? " aria-current=\"page\"" : ""
        return "<li><a href=\"\(entry.address)\"\(current)>\(text(entry.titleKey))</a></li>"
      }
      return items.isEmpty ? "" : "<ul>\(items.joined())</ul>"
    }.joined()
  }

  private var languages: String {
    choices(ConsoleLanguage.allCases.map { ("lang", $0.rawValue, $0.name, $0 == language, " lang=\"\($0.rawValue)\"") })
  }

  private var themes: String {
    choices(ConsoleTheme.allCases.map { ("theme", $0.rawValue, text("theme.\($0.rawValue)"), $0 == theme, "") })
  }

  private func choices(
    _ list: [(name: String, value: String, text: String, isChosen: Bool, attributes: String)]
  ) -> String {
    list.map { choice in
      let current = choice.isChosen ? " aria-current=\"true\"" : ""
      return """
        <a href="\(page.address)?\(choice.name)=\(choice.value)" data-choice\(choice.attributes)\(current)>\(choice.text)</a>
        """
    }.joined(separator: " ")
  }
}
