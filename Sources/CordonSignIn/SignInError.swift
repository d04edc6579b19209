import CordonCore

/// The reason why there is no sign-in or no token. Never holds a token, a code or a verifier.
package enum SignInError: CordonError, Hashable {
  /// Nobody is signed in.
  case signedOut
  /// The provider ended the sign-in; the text is its error code.
  case ended(String)
  /// The provider does not answer, or not as a provider of OpenID Connect; the text says why.
  case unreachable(String)
  /// The provider's description is not acceptable; the text names the member.
  case badProvider(String)
  /// The provider lacks a feature that the sign-in needs.
  case unsupported(String)
  /// The person or the provider refused; the text is the error code.
  case denied(String)
  /// The answer of the browser does not belong to this attempt.
  case foreignAnswer
  /// The code or the invitation is not valid any more.
  case expired
  /// The invitation is malformed; the text says how.
  case badInvitation(String)
  /// Another sign-in is under way.
  case busy
  /// The tokens cannot be kept; the text is the failure of the key store.
  case notKept(String)

  /// The reason in one line, in lower case.
  package var description: String {
    switch self {
    case .signedOut: "nobody is signed in"
    case .ended(let code): "the provider ended the sign-in (\(code))"
    case .unreachable(let why): "the provider is not reachable: \(why)"
    case .badProvider(let what): "the provider's description is not acceptable: \(what)"
    case .unsupported(let what): "the provider does not support \(what)"
    case .denied(let code): "the sign-in was refused (\(code))"
    case .foreignAnswer: "the answer does not belong to this sign-in"
    case .expired: "the code has expired"
    case .badInvitation(let why): "the invitation is not valid: \(why)"
    case .busy: "another sign-in is under way"
    case .notKept(let why): "the tokens cannot be kept: \(why)"
    }
  }

  /// The next step for the person.
  package var remedy: String {
    switch self {
    case .signedOut, .ended, .expired, .foreignAnswer: "Sign in again."
    case .unreachable: "Check the network and the issuer; the sign-in stays."
    case .badProvider, .unsupported: "Check the issuer, or use another way to sign in."
    case .denied: "Sign in again and allow the access, or ask the operator of the platform."
    case .badInvitation: "Ask for a new invitation."
    case .busy: "Wait for its end, or cancel it."
    case .notKept: "Unlock the device, or check the file of keys."
    }
  }

  /// Whether the same request may succeed later without the person.
  package var isTransient: Bool {
    switch self {
    case .unreachable, .busy, .notKept: true
    default: false
    }
  }
}
