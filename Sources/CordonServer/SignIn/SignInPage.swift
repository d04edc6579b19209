internal import CordonDashboard
internal import CordonIngest
internal import CordonSupport
internal import Foundation

/// The pages that sign somebody in: forms that work without scripts, in the frame of the console.
struct SignInPage {
  /// Which form.
  enum Form {
    /// For somebody who is not signed in.
    case signIn(allowsPasswords: Bool)
    /// For an operator whose password was entered too long ago.
    case confirmation(name: String, needsCode: Bool, isOpenID: Bool)
    /// For somebody who signed out here, and is still signed in at the provider.
    case signedOut(address: String)
  }

  var form: Form
  /// The CSRF token of the form.
  var proof: String
  /// Where to go afterwards, a path of this server.
  var next: String
  /// The name of the OpenID provider; `nil` for none.
  var provider: String?
  /// The problem of the last attempt; `nil` for none.
  var problem: Problem?
  /// The language of the page.
  var language = ConsoleLanguage.english
  /// Its colours.
  var theme = ConsoleTheme.automatic

  private func text(_ key: String, _ values: [String: String] = [:]) -> String {
    MarkupText.escaped(ConsoleStrings.table(language).text(key, values))
  }

  /// The document.
  var bytes: [UInt8] {
    let problem = problem.map { "<p class=\"warning\" role=\"alert\">\(sentence($0))</p>" } ?? ""
    var frame = PageFrame(page: .signIn, language: language, theme: theme, main: problem + content)
    frame.omitted = ConsolePage.ofForms.union(ConsolePage.ofStudies)
    return frame.bytes
  }

  /// The problem in the words of the page.
  private func sentence(_ problem: Problem) -> String {
    if let wait = problem.retryAfter, problem.status == 429 { return text("signin.wait", ["n": String(wait)]) }
    switch (problem.code, problem.field) {
    case (.csrf, "state"?): return text("signin.old-state")
    case (.csrf, _): return text("signin.old-form")
    case (.badCredentials, _): return text(problem.status == 401 ? "signin.wrong" : "signin.refused")
    case (.role, _): return text("signin.no-role")
    case (.signInAgain, _): return text("signin.other-person")
    case (.notReady, _): return text("signin.provider-failed")
    default: return text("signin.failed")
    }
  }

  private var content: String {
    switch form {
    case .signIn(let allowsPasswords):
      let link = provider.map {
        button("/console/openid?next=\(encodedNext)", text("signin.provider", ["provider": $0]))
      }
      return (link ?? "") + (allowsPasswords ? passwordForm : "")
    case .confirmation(let name, _, true):
      return """
        <p>\(text("signin.confirm-provider", ["name": name]))</p>
        \(button("/console/openid?confirm=1&amp;next=\(encodedNext)", text("signin.provider-again", ["provider": provider ?? "OpenID"])))
        """
    case .confirmation(let name, let needsCode, false):
      return """
        <form class="card form" method="post" action="/console/confirm">
        <p>\(text("signin.confirm-text", ["name": name]))</p>
        \(hidden)
        \(password)
        \(needsCode ? code("signin.the-code", " required") : "")
        <button class="primary">\(text("signin.confirm"))</button>
        </form>
        """
    case .signedOut(let address):
      return """
        <p>\(text("signin.out", ["provider": provider ?? "OpenID"]))</p>
        \(button(MarkupText.escaped(address), text("signin.out-there")))
        <p><a href="/console/sign-in">\(text("signin.in-again"))</a></p>
        """
    }
  }

  /// A link that looks like a button. Both arguments are escaped.
  private func button(_ address: String, _ text: String) -> String {
    "<p><a class=\"button primary\" href=\"\(address)\">\(text)</a></p>"
  }

  private var encodedNext: String { next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "%2F" }

  private var passwordForm: String {
    """
    <form class="card form" method="post" action="/console/sign-in">
    \(hidden)
    <label for="name">\(text("signin.name"))</label>
    <input id="name" name="name" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64">
    \(password)
    \(code("signin.code", ""))
    <button class="primary">\(text("signin.submit"))</button>
    <p class="note">\(text("signin.note"))</p>
    </form>
    """
  }

  private var password: String {
    """
    <label for="password">\(text("signin.password"))</label>
    <input id="password" name="password" type="password" required autocomplete="current-password" maxlength="256">
    """
  }

  private func code(_ key: String, _ attributes: String) -> String {
    """
    <label for="code">\(text(key))</label>
    <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8"\(attributes)>
    """
  }

  private var hidden: String {
    """
    <input type="hidden" name="csrf_token" value="\(MarkupText.escaped(proof))">
    <input type="hidden" name="next" value="\(MarkupText.escaped(next))">
    """
  }
}
