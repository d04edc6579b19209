import CordonCore

extension Runtime {
  /// Makes a request, and remembers it until its answer.
  /// - Parameters:
  ///   - venue: the venue whose credentials the request carries.
  ///   - secret: the secret of those credentials. A request with its own secret or code is challenged with that
  ///     instead.
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
      case .positions, .consent, .notices, .acknowledge: secret
      }
    // A sink that is no longer configured receives only erasure requests, and its answers need a proof.
    var isChallenged = own?.provesAnswers ?? true
    // A device without a secret has no rows at the sink, and no answer to it can be proved.
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

  /// Formats two numbers as 32 hexadecimal digits.
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
  /// The status that replaces an unbelievable answer: the request is repeated later.
  private static let failure = 502

  /// Returns the part of an answer that may be believed. A proxy, a portal or a firewall on the way can answer, so
  /// answers with lasting effects need a proof:
  ///
  /// - A success counts when it is proved, or when the sink has no proofs and its format could read the answer.
  /// - A refusal counts when it is proved. For rows, an unproved 403 or 410 only casts doubt on the token, as a 401
  ///   does. The request for a new token carries the secret, and a server can always prove its answer to that.
  /// - 400, 413 and 422 make batches smaller, but refuse a row only when they are proved.
  /// - Everything else is a failure, and the request is repeated.
  func believed(_ response: SinkResponse) -> SinkResponse {
    var response = response
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
