import Cordon
import CordonCore
import CordonMonitoring
import CordonSignIn
import Foundation

/// A person's sign-in at the health platform: the real machine, a vault that survives the process, and a provider that rotates
/// its refresh tokens. Answers of the provider get lost, also the one that rotated.
final class TorturePlatform {
  private let phone: Int
  private let receivers: TortureReceivers
  private var random: RandomStream
  private var machine: SignInMachine?
  private var vault: TokenSet?
  private var issued = 0
  private var refresh = ""
  private static let issuer = "https://id.example.org/o"

  init(seed: UInt64, phone: Int, _ receivers: TortureReceivers) {
    self.phone = phone
    self.receivers = receivers
    random = RandomStream(seed: seed, stream: 0x78, entity: UInt64(phone))
    restart()
  }

  /// The process starts: it knows what the vault has.
  func restart() {
    machine = URL(string: Self.issuer).map {
      SignInMachine(SignInMachine.Configuration(issuer: $0, client: "app"), random: .stream(random))
    }
    _ = machine?.handle(.loaded(vault), at: .epoch)
  }

  /// The person signs in when nothing is in the vault.
  func signInIfNeeded(_ now: Instant) {
    guard vault == nil else { return }
    issue(now)
    vault = TokenSet(
      access: "a\(phone)-\(issued)", refresh: refresh, expires: now + .minutes(20), client: "app")
    _ = machine?.handle(.loaded(vault), at: now)
  }

  /// Returns an access token for a request; `nil` when there is none now.
  func token(_ now: Instant, mayFail: Bool) -> String? { feed(.needToken, now, mayFail) }

  /// The platform refused the last token.
  func noteRefusal(_ now: Instant) {
    if let access = vault?.access { _ = machine?.handle(.refused(access), at: now) }
  }

  /// The platform ends the access token before its time.
  func endToken() { receivers.tokens[phone] = nil }

  private func feed(_ event: SignInMachine.Event, _ now: Instant, _ mayFail: Bool) -> String? {
    var token: String?
    for effect in machine?.handle(event, at: now) ?? [] {
      switch effect {
      case .send(let request):
        var answer = provide(request, now)
        if mayFail, random.nextIndex(below: 8) == 0 { answer = .none }
        token = feed(.answer(answer, to: machine?.requestNumber ?? 0), now, mayFail) ?? token
      case .keep(let set): vault = set
      case .forget: vault = nil
      case .token(let text): token = text
      case .open, .show, .wait, .noToken, .signedIn, .failed: break
      }
    }
    return token
  }

  private func provide(_ request: HTTPRequest, _ now: Instant) -> HTTPResponse {
    let type = ["content-type": "application/json"]
    if request.method == "GET" {
      let document = #"{"issuer":"\#(Self.issuer)","token_endpoint":"\#(Self.issuer)/token"}"#
      return HTTPResponse(status: 200, headers: type, body: Array(document.utf8))
    }
    guard String(decoding: request.body, as: UTF8.self).contains("refresh_token=\(refresh)&") else {
      return HTTPResponse(status: 400, headers: type, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    }
    issue(now)
    let set =
      #"{"access_token":"a\#(phone)-\#(issued)","refresh_token":"\#(refresh)","token_type":"Bearer","expires_in":1200}"#
    return HTTPResponse(status: 200, headers: type, body: Array(set.utf8))
  }

  private func issue(_ now: Instant) {
    issued += 1
    refresh = "r\(phone)-\(issued)"
    receivers.tokens[phone] = ("a\(phone)-\(issued)", now + .minutes(20))
  }
}
