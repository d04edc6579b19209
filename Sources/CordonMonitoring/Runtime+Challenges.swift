import CordonCore

extension Runtime {
  /// Makes a request and what waits for its answer.
  /// - Parameters:
  ///   - venue: whose credentials it carries.
  ///   - secret: the secret that belongs to them. A request that carries a secret or a code of its own is challenged with that.
  mutating func makeCall(
    _ sink: SinkID, _ device: DeviceID, _ venue: VenueID?, _ body: SinkRequest.Body, secret: String?, _ kind: Call.Kind,
    _ now: ClockReading
  ) -> (SinkRequest, Call) {
    lastNumber += 1
    let own = monitor.configuration.sinks.first { $0.id == sink }
    let shared: String? =
      switch body {
      case .activate(let code, _): code
      case .token(let secret): secret
      case .erase(let secret): secret
      case .positions, .consent: secret
      }
    // A sink that is not among the settings any more is asked for erasures only, and has to prove as much.
    var isChallenged = own?.provesAnswers ?? true
    // Nothing can prove the answer to a device that has no secret, and so no rows at the sink either.
    if case .erase(nil) = body { isChallenged = false }
    var challenge: Challenge?
    if isChallenged, let shared {
      challenge = Challenge(nonce: Runtime.hexadecimal(nonces.next(), nonces.next()), secret: shared)
    }
    let call = Call(
      number: lastNumber, sink: sink, device: device, venue: venue, kind: kind,
      deadline: (now.monotonic + monitor.configuration.requestTimeout).milliseconds, isChallenged: isChallenged,
      usesToken: own?.needsActivation ?? false)
    return (SinkRequest(number: lastNumber, device: device, sink: sink, body: body, challenge: challenge), call)
  }

  /// Two numbers as 32 digits.
  private static func hexadecimal(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 32) { text in
      for (half, word) in [high, low].enumerated() {
        for digit in 0..<16 {
          let value = UInt8(word >> UInt64(60 - 4 * digit) & 15)
          text[16 * half + digit] = value < 10 ? 0x30 + value : 0x57 + value
        }
      }
      return 32
    }
  }
}

extension Runtime.Call {
  /// The status of an answer that is none: it is tried again later.
  private static let failure = 502

  /// What may be believed of an answer. Anything on the way can answer (a proxy, a portal, a firewall), so what costs something
  /// needs a proof:
  ///
  /// - a success counts when it is proved, or when the sink can prove nothing and its format could read the answer;
  /// - a refusal counts when it is proved. For rows an unproved 403 or 410 casts doubt on the token only, as a 401 does: the request
  ///   for a new token carries the secret, and a server can prove its answer to that whatever it knows of the device;
  /// - 400, 413 and 422 make batches smaller, but refuse a row only when they are proved;
  /// - everything else is a failure, and is tried again.
  func believed(_ response: SinkResponse) -> SinkResponse {
    var response = response
    #if CORDON_BUGS
      if DeliberateBug.trustAny410.isActive, response.status == 410 { response.isProved = true }
    #endif
    if response.isProved || response.status == 0 { return response }
    switch response.status {
    case 200..<300 where !isChallenged: break
    case 400 where kind.isOfRows, 413 where kind.isOfRows, 422 where kind.isOfRows: break
    case 401 where kind.isOfRows && usesToken: break
    case 403 where kind.isOfRows && usesToken, 410 where kind.isOfRows && usesToken: response.status = 401
    // Answers to a device without a secret; the caller checks them.
    case 403 where kind.isErasure: response.body = .none
    case _ where !isChallenged && response.body == .refused: break
    default:
      response.status = Runtime.Call.failure
      response.body = .none
    }
    return response
  }
}
