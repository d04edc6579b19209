// The part of Authentication Services that CordonApple uses; see CoreLocation.swift.
package import Foundation

package class ASPresentationAnchor: NSObject {
  package override init() {}
}

@MainActor package protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

@MainActor package class ASWebAuthenticationSession: NSObject {
  package typealias CompletionHandler = (URL?, (any Error)?) -> Void
  package let url: URL
  package let scheme: String?
  package let completion: CompletionHandler
  package var prefersEphemeralWebBrowserSession = false
  package weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
  /// The actions of the person on the page; a test sets them. Without them the session cannot start.
  package static var person: (@MainActor (ASWebAuthenticationSession) -> Void)?

  package init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {
    self.url = url
    scheme = callbackURLScheme
    completion = completionHandler
  }

  package func start() -> Bool {
    guard presentationContextProvider?.presentationAnchor(for: self) != nil,
      let person = ASWebAuthenticationSession.person
    else { return false }
    person(self)
    return true
  }
  package func cancel() {}
}
