/// A language of the console. The raw value is its tag (BCP 47).
package enum ConsoleLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"

  /// The name in the language itself.
  var name: String {
    switch self {
    case .english: "English"
    case .german: "Deutsch"
    }
  }

  /// The language that a browser prefers: the first known one of `Accept-Language` with the highest weight, else English.
  package init(accepted: String?) {
    var best: (language: ConsoleLanguage, weight: Double)?
    for range in (accepted ?? "").split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let tag = parts.first?.lowercased().split(separator: "-").first,
        let language = ConsoleLanguage(rawValue: String(tag))
      else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if weight > best?.weight ?? 0 { best = (language, weight) }
    }
    self = best?.language ?? .english
  }
}

/// The colours of the console.
package enum ConsoleTheme: String, CaseIterable, Sendable {
  /// Those that the system prefers.
  case automatic = "auto"
  case light
  case dark

  /// The name of the style sheet below `/console/assets/`.
  var styleName: String { self == .automatic ? "console.css" : "console-\(rawValue).css" }
}
