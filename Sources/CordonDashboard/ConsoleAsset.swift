import CConsolePages
import CordonRun
import CordonSupport

/// A file that pages of the console load: a style sheet or an ES module, with an entity tag.
package struct ConsoleAsset: Sendable {
  /// The media type.
  package let type: String
  /// The contents.
  package let bytes: [UInt8]
  /// The entity tag, with its quotation marks: a hash of the contents.
  package let tag: String

  init(_ type: String, _ text: String) {
    self.type = type
    bytes = Array(text.utf8)
    tag = "\"\(SHA256.hexDigest(of: bytes).prefix(32))\""
  }

  /// The address below which assets are served.
  package static let folder = "/console/assets/"

  /// Returns the asset at an address; `nil` for others.
  package static func at(_ path: String) -> ConsoleAsset? {
    guard path.hasPrefix(folder) else { return nil }
    return all[String(path.dropFirst(folder.count))]
  }

  /// The names of all assets, in order.
  package static var names: [String] { all.keys.sorted() }

  private static let all: [String: ConsoleAsset] = {
    var all: [String: ConsoleAsset] = [:]
    for theme in ConsoleTheme.allCases { all[theme.styleName] = ConsoleAsset(css, style(theme)) }
    for language in ConsoleLanguage.allCases {
      all["strings-\(language.rawValue).js"] = ConsoleAsset(javaScript, ConsoleStrings.module(language))
    }
    all["parts.js"] = ConsoleAsset(javaScript, PartModules.parts)
    all["tables.js"] = ConsoleAsset(javaScript, PartModules.tables)
    for (name, bytes) in ConsoleScripts.all {
      all[name] = ConsoleAsset(javaScript, String(decoding: bytes, as: UTF8.self))
    }
    return all
  }()

  private static let javaScript = "text/javascript; charset=utf-8"
  private static let css = "text/css; charset=utf-8"

  /// The style sheet: that of the reports, and what only the console has. A media query selects the
  /// colours of the system; a chosen theme answers the query in advance.
  private static func style(_ theme: ConsoleTheme) -> String {
    let text = ReportStyle.css + String(decoding: embeddedFile(cordon_console_console_css), as: UTF8.self)
    let query = "screen and (prefers-color-scheme: dark)"
    switch theme {
    case .automatic: return text
    case .light: return text.replacing(query, with: "not all")
    case .dark: return text.replacing(query, with: "screen")
    }
  }
}
