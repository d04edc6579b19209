package import Cordon
package import CordonCore
package import CordonMonitoring
import CordonSupport
package import Foundation

/// The states of a sign-in with OpenID Connect: events in, effects out. It has no clock, network or file.
///
/// At most one request counts at a time; its answer comes as ``Event/answer(_:to:)``. The tokens are kept
/// (``Effect/keep(_:)``) before anybody receives the new access token: a provider that rotates refresh tokens has already made
/// the old one invalid.
package struct SignInMachine: Sendable {
  /// The provider and the program's registration with it.
  package struct Configuration: Hashable, Sendable {
    /// The issuer.
    package var issuer: URL
    /// The identifier of this program at the provider. It has no secret.
    package var client: String
    /// The address to which the browser returns; not used by the device-code grant.
    package var redirect: URL?
    /// The requested scopes.
    package var scopes: [String]

    /// Makes a configuration.
    package init(issuer: URL, client: String, redirect: URL? = nil, scopes: [String] = ["openid"]) {
      self.issuer = issuer
      self.client = client
      self.redirect = redirect
      self.scopes = scopes
    }
  }

  /// A way to sign in.
  package enum Method: Hashable, Sendable {
    /// In a browser: authorization code with PKCE.
    case browser
    /// With a code that the person enters on another device (RFC 8628).
    case deviceCode
    /// With an invitation.
    case invitation(Invitation)
  }

  /// An input.
  package enum Event: Sendable {
    /// The tokens in the vault.
    case loaded(TokenSet?)
    /// The person wants to sign in.
    case signIn(Method)
    /// The answer to a request, by the number that ``SignInMachine/requestNumber`` had when it was sent. An answer to an
    /// earlier request, which a sign-out overtook, changes nothing.
    case answer(HTTPResponse, to: UInt64)
    /// The browser returned to the program.
    case redirected(URL)
    /// A request needs an access token.
    case needToken
    /// A server refused an access token.
    case refused(String)
    /// The time of an ``Effect/wait(until:)`` has come.
    case timer
    /// The person gave up.
    case cancel
    /// The person signs out.
    case signOut
  }

  /// An output.
  package enum Effect: Sendable {
    /// Send a request, and return its answer.
    case send(HTTPRequest)
    /// Open a page in a browser.
    case open(URL)
    /// Show the person a code to enter on another device.
    case show(DeviceCode)
    /// Keep the tokens, durably, before the effects that follow.
    case keep(TokenSet)
    /// Delete the kept tokens. The value is the tokens that the provider refused to renew; `nil` for a sign-out.
    case forget(TokenSet?)
    /// Send a ``Event/timer`` at this time.
    case wait(until: Instant)
    /// The access token for everybody who needs one.
    case token(String)
    /// There is no access token.
    case noToken(SignInError)
    /// The sign-in succeeded.
    case signedIn
    /// The sign-in failed.
    case failed(SignInError)
  }

  /// A code that a person enters on another device.
  package struct DeviceCode: Hashable, Sendable {
    /// The secret of the program.
    var code: String
    /// The code that the person enters.
    package var userCode: String
    /// The page where it is entered.
    package var page: String
    /// The page that has the code filled in; `nil` when the provider has none.
    package var completePage: String?
    /// The end of the code.
    package var expires: Instant
    /// The wait between two polls.
    var interval: TimeSpan
  }

  /// The purpose of a discovery.
  enum Purpose: Sendable {
    case signIn(Method)
    case refresh
  }

  /// The event that the machine waits for.
  enum Step: Sendable {
    case idle
    case discovering(Purpose)
    case redeeming(Invitation)
    case inBrowser(state: String, nonce: String, ProofKey)
    case exchanging(client: String, nonce: String?)
    case startingDevice
    case showingCode(DeviceCode)
    case polling(DeviceCode)
    case refreshing(TokenSet)
    case revoking
  }

  /// The provider and the registration.
  package let configuration: Configuration
  /// The tokens of the current sign-in.
  package internal(set) var tokens: TokenSet?
  /// The reason why the last sign-in ended.
  package internal(set) var lastEnd: SignInError?
  /// The number of the last request.
  package private(set) var requestNumber: UInt64 = 0
  var metadata: ProviderMetadata?
  var step = Step.idle
  /// The number of refreshes in a row without an answer.
  var failures = 0
  /// The time before which no refresh is tried.
  var notBefore = Instant.epoch
  var random: RandomSource

  /// Makes a machine for a provider.
  package init(_ configuration: Configuration, random: RandomSource = .system) {
    self.configuration = configuration
    self.random = random
  }

  /// Handles an event at a time of the wall clock, and returns the effects, in order.
  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    let effects = take(event, now)
    for case .send in effects { requestNumber += 1 }
    return effects
  }

  private mutating func take(_ event: Event, _ now: Instant) -> [Effect] {
    switch event {
    case .loaded(let set):
      tokens = set
      notBefore = .epoch
      return []
    case .signIn(let method): return signIn(with: method)
    case .answer(let answer, let number): return number == requestNumber ? take(answer, now) : []
    case .redirected(let url): return takeRedirect(url)
    case .needToken: return needToken(now)
    case .refused(let token):
      if tokens?.access == token { tokens?.expires = now }
      return []
    case .timer: return poll(now)
    case .cancel:
      switch step {
      case .refreshing, .discovering(.refresh), .revoking: return []
      default:
        step = .idle
        return [.failed(.denied("cancelled"))]
      }
    case .signOut: return signOut()
    }
  }

  // MARK: - Steps

  private mutating func signIn(with method: Method) -> [Effect] {
    switch step {
    case .idle, .inBrowser, .showingCode: break
    default: return [.failed(.busy)]
    }
    if case .invitation(let invitation) = method {
      step = .redeeming(invitation)
      return [.send(HTTPRequest(method: "POST", url: invitation.redemption, headers: ["accept": "application/json"]))]
    }
    return discover(for: .signIn(method))
  }

  mutating func discover(for purpose: Purpose) -> [Effect] {
    if metadata != nil { return proceed(purpose) }
    step = .discovering(purpose)
    let address = ProviderMetadata.address(of: configuration.issuer)
    return [.send(HTTPRequest(method: "GET", url: address, headers: ["accept": "application/json"]))]
  }

  mutating func proceed(_ purpose: Purpose) -> [Effect] {
    switch purpose {
    case .signIn(.browser): return openBrowser()
    case .signIn(.deviceCode): return startDevice()
    case .signIn(.invitation): return []
    case .refresh: return refresh()
    }
  }

  private mutating func take(_ answer: HTTPResponse, _ now: Instant) -> [Effect] {
    let current = step
    step = .idle
    switch current {
    case .idle, .inBrowser, .showingCode:
      step = current
      return []
    case .discovering(let purpose): return takeMetadata(answer, purpose, now)
    case .redeeming(let invitation): return takeGrant(answer, invitation)
    case .exchanging(let client, let nonce): return takeTokens(answer, client: client, nonce: nonce, now)
    case .startingDevice: return takeDeviceCode(answer, now)
    case .polling(let code): return takePoll(answer, code, now)
    case .refreshing(let old): return takeRefresh(answer, old, now)
    case .revoking: return []
    }
  }

  private mutating func takeMetadata(_ answer: HTTPResponse, _ purpose: Purpose, _ now: Instant) -> [Effect] {
    let failure: SignInError
    do throws(SignInError) {
      guard answer.status == 200 else { throw .unreachable(SignInMachine.text(of: answer)) }
      metadata = try ProviderMetadata(decoding: answer.body, issuer: configuration.issuer)
      return proceed(purpose)
    } catch {
      failure = error
    }
    if case .refresh = purpose { return refreshFailed(failure, now) }
    return [.failed(failure)]
  }

  /// A sign-in has tokens: keeps them, then reports it.
  mutating func accept(_ set: TokenSet) -> [Effect] {
    tokens = set
    lastEnd = nil
    failures = 0
    notBefore = .epoch
    return [.keep(set), .signedIn]
  }

  /// Returns the reason of an answer without contents.
  static func text(of answer: HTTPResponse) -> String {
    answer.status == 0 ? answer.failure ?? "no answer" : "status \(answer.status)"
  }

  /// Returns a request with a form.
  static func form(_ url: URL, _ fields: [(String, String)]) -> Effect {
    .send(
      HTTPRequest(
        method: "POST", url: url,
        headers: ["accept": "application/json", "content-type": "application/x-www-form-urlencoded"],
        body: Array(PercentEncoding.form(fields).utf8)))
  }
}
