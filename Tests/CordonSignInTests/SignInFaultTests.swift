import Cordon
import CordonCore
import CordonMonitoring
import CordonSignIn
import CordonSupport
import CordonWire
import Foundation
import Testing

/// A phone, a vault and a provider that rotates; networks fail, and processes die between any two effects.
private struct Trial {
  var random: RandomStream
  var machine: SignInMachine
  var vault: TokenSet?
  var now = Instant(milliseconds: 1_767_254_400_000)
  /// The provider's own record.
  var current: (access: String, refresh: String)?
  var issued = 0
  var outstanding: (request: HTTPRequest, number: UInt64)?
  var faults: [String] = []
  var tokens = 0
  var ends = 0

  init(seed: UInt64) throws {
    random = RandomStream(seed: seed, stream: 1)
    machine = try Trial.machine()
  }

  static func machine() throws -> SignInMachine {
    SignInMachine(
      SignInMachine.Configuration(issuer: try #require(URL(string: ProviderModel.issuer)), client: "app"))
  }

  mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

  /// The process dies; the next one reads the vault.
  mutating func restart() throws {
    machine = try Trial.machine()
    outstanding = nil
    _ = machine.handle(.loaded(vault), at: now)
  }

  mutating func feed(_ event: SignInMachine.Event) throws {
    let isSigningOut = if case .signOut = event { true } else { false }
    for effect in machine.handle(event, at: now) {
      if chance(2) { return try restart() }
      switch effect {
      case .send(let request):
        if outstanding != nil, !isSigningOut { faults.append("two requests at once") }
        outstanding = (request, machine.requestNumber)
      case .keep(let set): vault = set
      case .forget: vault = nil
      case .token(let token):
        tokens += 1
        if token != vault?.access { faults.append("a token that is not kept") }
        if let end = vault?.expires, end <= now { faults.append("a token that has ended") }
      case .noToken(let error): if case .ended = error { ends += 1 }
      case .open, .show, .wait, .signedIn, .failed: break
      }
    }
  }

  mutating func answer() throws {
    guard let (request, number) = outstanding else { return }
    outstanding = nil
    var answer = try provide(request)
    // The answer is lost, late, or another program's.
    if chance(10) { answer = .none }
    if chance(5) { answer = HTTPResponse(status: 200, body: Array("<html>".utf8)) }
    if chance(5) { answer = HTTPResponse(status: 503) }
    try feed(.answer(answer, to: number))
  }

  mutating func provide(_ request: HTTPRequest) throws -> HTTPResponse {
    if request.method == "GET" {
      return ProviderModel.json(
        200,
        #"{"issuer":"https://id.example.org/o","token_endpoint":"https://id.example.org/o/token","revocation_endpoint":"https://id.example.org/o/revoke"}"#
      )
    }
    // The request itself may be lost.
    if chance(10) { return .none }
    let body = String(decoding: request.body, as: UTF8.self)
    if request.url.lastPathComponent == "revoke" {
      current = nil
      return HTTPResponse(status: 200)
    }
    guard let current, body.contains("refresh_token=\(current.refresh)&") else {
      return ProviderModel.json(400, #"{"error":"invalid_grant"}"#)
    }
    issue()
    return ProviderModel.json(
      200,
      #"{"access_token":"a\#(issued)","refresh_token":"r\#(issued)","token_type":"Bearer","expires_in":3600}"#)
  }

  mutating func issue() {
    issued += 1
    current = ("a\(issued)", "r\(issued)")
  }

  mutating func step() throws {
    now = now + .seconds(Int64(random.next() % 2_400))
    switch random.next() % 10 {
    case 0..<5: try feed(.needToken)
    case 5: if let token = vault?.access { try feed(.refused(token)) }
    case 6: try restart()
    case 7 where vault == nil && outstanding == nil:
      // The person signs in again.
      issue()
      vault = TokenSet(access: "a\(issued)", refresh: "r\(issued)", expires: now + .hours(1), client: "app")
      try feed(.loaded(vault))
    case 8 where chance(5): try feed(.signOut)
    default: break
    }
    if !chance(20) { try answer() }
  }
}

@Suite("Sign-in under faults")
struct SignInFaultTests {
  /// Whatever happens, a token is kept before it is used, no token is used after its end, and at most one request is out. A
  /// sign-in that the device has lost is reported as such.
  @Test func tokensAreKeptBeforeTheyAreUsed() throws {
    var (tokens, ends) = (0, 0)
    for seed in 0..<1_000 {
      var trial = try Trial(seed: UInt64(seed))
      for _ in 0..<60 { try trial.step() }
      #expect(trial.faults.isEmpty, "seed \(seed): \(trial.faults)")
      tokens += trial.tokens
      ends += trial.ends
    }
    // The trials reach what they are about.
    #expect(tokens > 1_000 && ends > 100, "\(tokens) tokens, \(ends) ends")
  }
}
