package import Cordon
package import CordonCore
package import CordonMonitoring
package import Foundation

/// Drives a ``SignInMachine``: sends its requests, keeps its tokens, and gives access tokens to sinks.
package actor SignInSession {
  private var machine: SignInMachine
  private let vault: any TokenVault
  private let clock: any MonitorClock
  private let transport: any HTTPTransport
  /// Whether the tokens in memory are newer than those in the vault, because it failed.
  private var isUnkept = false
  private var waiters: [CheckedContinuation<Result<String, SignInError>, Never>] = []
  /// The end of the current sign-in, when it has come.
  private var outcome: Result<Void, SignInError>?
  private var page: URL?
  private var code: SignInMachine.DeviceCode?
  private var pollAt: Instant?

  /// Makes a session.
  /// - Parameters:
  ///   - configuration: the provider and the registration.
  ///   - vault: keeps the tokens.
  ///   - transport: sends requests to the provider.
  ///   - clock: the source of time.
  ///   - random: the random source.
  package init(
    _ configuration: SignInMachine.Configuration, vault: any TokenVault,
    transport: any HTTPTransport = URLSessionTransport(timeout: 30, maximumBody: 1 << 20),
    clock: any MonitorClock = SystemClock(), random: RandomSource = .system
  ) {
    machine = SignInMachine(configuration, random: random)
    self.vault = vault
    self.transport = transport
    self.clock = clock
  }

  /// Whether somebody is signed in. The access token may have to be renewed.
  package var isSignedIn: Bool {
    reload()
    return machine.tokens != nil
  }

  /// The end of the access token; `nil` when it is not known, or when nobody is signed in.
  package var expiry: Instant? { machine.tokens?.expires }

  // MARK: - Tokens

  /// Returns an access token that is valid for at least half a minute. Renews it when needed; callers at the same time share
  /// one renewal.
  package func token() async -> Result<String, SignInError> {
    if waiters.isEmpty { reload() }
    if let set = machine.tokens, set.isFresh(at: clock.now.wall), waiters.isEmpty { return .success(set.access) }
    return await withCheckedContinuation { continuation in
      waiters.append(continuation)
      if waiters.count == 1 { Task { await drive(.needToken) } }
    }
  }

  /// Reports that a server refused an access token: the next call of ``token()`` renews it.
  package func refused(_ token: String) async { await drive(.refused(token)) }

  /// Another program may have signed in or out since.
  private func reload() {
    if isUnkept { return keep(machine.tokens) }
    let kept: TokenSet?
    do throws(SignInError) {
      kept = try vault.load()
    } catch {
      // A locked vault does not sign anybody out.
      return
    }
    // Tokens of the same sign-in that a server refused keep their end.
    if kept?.access != machine.tokens?.access { _ = machine.handle(.loaded(kept), at: clock.now.wall) }
  }

  private func keep(_ set: TokenSet?) {
    guard let set else { return }
    do throws(SignInError) {
      try vault.keep(set)
      isUnkept = false
    } catch {
      isUnkept = true
    }
  }

  // MARK: - Signing in and out

  /// Signs in with a browser.
  /// - Parameter open: opens a page, and returns the address to which the browser was sent back.
  package func signIn(browser open: @Sendable (URL) async throws -> URL) async throws {
    outcome = nil
    page = nil
    await drive(.signIn(.browser))
    if let page {
      let url: URL
      do {
        url = try await open(page)
      } catch {
        await drive(.cancel)
        throw error
      }
      await drive(.redirected(url))
    }
    try finish()
  }

  /// Signs in with a code that the person enters on another device.
  /// - Parameter show: shows the code.
  package func signIn(deviceCode show: @Sendable (SignInMachine.DeviceCode) -> Void) async throws {
    outcome = nil
    code = nil
    pollAt = nil
    await drive(.signIn(.deviceCode))
    if let code { show(code) }
    while outcome == nil, let next = pollAt {
      pollAt = nil
      do {
        try await clock.sleep(for: max(next - clock.now.wall, .milliseconds(1)))
      } catch {
        await drive(.cancel)
        throw error
      }
      await drive(.timer)
    }
    try finish()
  }

  /// Signs in with an invitation.
  package func signIn(invitation: Invitation) async throws {
    outcome = nil
    await drive(.signIn(.invitation(invitation)))
    try finish()
  }

  /// Deletes the tokens, and asks the provider to revoke them.
  package func signOut() async throws {
    reload()
    // Where tokens are revoked is part of the provider's description.
    if machine.tokens != nil { await learnProvider() }
    await drive(.signOut)
    if try vault.load() != nil { throw SignInError.notKept("the tokens could not be deleted") }
  }

  private func learnProvider() async {
    guard machine.metadata == nil else { return }
    let address = ProviderMetadata.address(of: machine.configuration.issuer)
    let answer = await transport.send(HTTPRequest(method: "GET", url: address, headers: ["accept": "application/json"]))
    if answer.status == 200 {
      machine.metadata = try? ProviderMetadata(decoding: answer.body, issuer: machine.configuration.issuer)
    }
  }

  private func finish() throws {
    switch outcome {
    case .success: return
    case .failure(let error): throw error
    case nil: throw SignInError.unreachable("the provider did not finish the sign-in")
    }
  }

  // MARK: - Effects

  private func drive(_ event: SignInMachine.Event) async {
    for effect in machine.handle(event, at: clock.now.wall) { await perform(effect) }
  }

  private func perform(_ effect: SignInMachine.Effect) async {
    switch effect {
    case .send(let request):
      let number = machine.requestNumber
      await drive(.answer(await transport.send(request), to: number))
    case .open(let url): page = url
    case .show(let shown): code = shown
    case .wait(let until): pollAt = until
    case .keep(let set): keep(set)
    case .forget(let ended): forget(ended)
    case .token(let token): resume(.success(token))
    case .noToken(let error): resume(.failure(error))
    case .signedIn: outcome = .success(())
    case .failed(let error): outcome = .failure(error)
    }
  }

  /// Deletes the kept tokens.
  /// - Parameter ended: the tokens that the provider refused to renew; `nil` for a sign-out. Where another program has kept
  ///   other tokens since, those are used.
  private func forget(_ ended: TokenSet?) {
    isUnkept = false
    if let ended, let kept = try? vault.load(), kept.refresh != ended.refresh {
      _ = machine.handle(.loaded(kept), at: clock.now.wall)
      return
    }
    // A failure leaves tokens that are not valid any more; a sign-out checks that they are gone.
    try? vault.forget()
  }

  private func resume(_ result: Result<String, SignInError>) {
    let all = waiters
    waiters = []
    for waiter in all { waiter.resume(returning: result) }
  }
}
