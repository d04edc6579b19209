internal import CordonSupport
internal import Foundation

/// The pages that sign somebody in: forms that work without scripts.
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
  /// The problem of the last attempt, as a sentence; `nil` for none.
  var problem: String?

  private static func escaped(_ text: String) -> String { MarkupText.escaped(text) }

  /// The document.
  var html: String {
    let problem = problem.map { "<p id=\"error\" role=\"alert\">\(Self.escaped($0))</p>" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title) · Cordon</title>
      <link rel="stylesheet" href="/dashboard.css">
      </head>
      <body>
      <header><h1>\(title)</h1></header>
      <main>
      \(problem)
      \(content)
      </main>
      </body>
      </html>

      """
  }

  private var title: String {
    switch form {
    case .signIn: "Sign in"
    case .confirmation: "Confirm that it is you"
    case .signedOut: "Signed out"
    }
  }

  private var content: String {
    switch form {
    case .signIn(let allowsPasswords):
      let link = provider.map { provider in
        """
        <p><a class="button" href="/console/openid?next=\(encodedNext)">Sign in with \(Self.escaped(provider))</a></p>
        """
      }
      return (link ?? "") + (allowsPasswords ? passwordForm : "")
    case .confirmation(let name, _, true):
      return """
        <p>\(Self.escaped(name)), what you are about to do needs you to sign in again.</p>
        <p><a class="button" href="/console/openid?confirm=1&amp;next=\(encodedNext)">Sign in again with \(Self.escaped(provider ?? ""))</a></p>
        """
    case .confirmation(let name, let needsCode, false):
      return """
        <p>\(Self.escaped(name)), what you are about to do needs your password again.</p>
        <form method="post" action="/console/confirm">
        \(hidden)
        <label>Password <input name="password" type="password" required autocomplete="current-password" maxlength="256"></label>
        \(needsCode ? code : "")
        <button>Confirm</button>
        </form>
        """
    case .signedOut(let address):
      return """
        <p>You are signed out of Cordon, and still signed in at \(Self.escaped(provider ?? "the provider")).</p>
        <p><a class="button" href="\(Self.escaped(address))">Sign out there as well</a></p>
        <p><a href="/console/sign-in">Sign in again</a></p>
        """
    }
  }

  private var encodedNext: String {
    next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "%2F"
  }

  private var passwordForm: String {
    """
    <form method="post" action="/console/sign-in">
    \(hidden)
    <label>Name <input name="name" required autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64"></label>
    <label>Password <input name="password" type="password" required autocomplete="current-password" maxlength="256"></label>
    <label>One-time code, if you use them <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8"></label>
    <button>Sign in</button>
    </form>
    """
  }

  private var code: String {
    """
    <label>One-time code <input name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="8"></label>
    """
  }

  private var hidden: String {
    """
    <input type="hidden" name="csrf_token" value="\(Self.escaped(proof))">
    <input type="hidden" name="next" value="\(Self.escaped(next))">
    """
  }
}

/// Paths of this server that a request names as the next page.
enum LocalPath {
  /// Returns a path if it certainly leads to this server; otherwise the start page.
  ///
  /// `//host` and `/\host` lead to other hosts, and a control character would end the header field.
  static func checked(_ text: String?) -> String {
    guard let text, text.utf8.count <= 512, text.hasPrefix("/"), !text.hasPrefix("//"),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }
}
