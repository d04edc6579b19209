public import Cordon
import CordonSignIn
import Foundation

#if canImport(AuthenticationServices)
  import AuthenticationServices
#else
  import CordonAppleShims
#endif

extension SinkEndpoint {
  /// Signs in at the provider of the sink, in the system's web session.
  ///
  /// The session shares no cookies with the browser. The endpoint comes from `signedIn(issuer:client:redirect:...)` of
  /// `CordonSignIn`, whose redirect has the scheme that is given here.
  /// - Parameter callbackScheme: the scheme of the app's redirect, such as `my-app`.
  /// - Throws: an error of the sign-in, or that of the session when the person cancels it.
  @MainActor public func signIn(callbackScheme: String) async throws {
    try await signIn(open: { page in try await WebSession.open(page, callbackScheme: callbackScheme) })
  }
}

/// One use of the system's web session.
@MainActor final class WebSession: NSObject, ASWebAuthenticationPresentationContextProviding {
  /// The session that is shown, and its context; the system holds neither.
  private static var current: (session: ASWebAuthenticationSession, context: WebSession)?

  /// Opens a page, and returns the address to which the browser was sent back.
  static func open(_ page: URL, callbackScheme: String) async throws -> URL {
    defer { current = nil }
    return try await withCheckedThrowingContinuation { continuation in
      let session = ASWebAuthenticationSession(url: page, callbackURLScheme: callbackScheme) { url, error in
        if let url {
          continuation.resume(returning: url)
        } else {
          continuation.resume(throwing: error ?? SignInError.denied("cancelled"))
        }
      }
      let context = WebSession()
      session.prefersEphemeralWebBrowserSession = true
      session.presentationContextProvider = context
      current = (session, context)
      // A session that cannot start does not call its completion.
      if !session.start() { continuation.resume(throwing: SignInError.unsupported("sign-in in a browser")) }
    }
  }

  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { ASPresentationAnchor() }
}
