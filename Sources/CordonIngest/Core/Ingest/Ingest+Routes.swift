internal import CordonCore

extension Ingest {
  /// Answers everything that is not a batch of positions.
  func respond(to request: IngestRequest, now: Instant) -> Outcome {
    // A secret or code in the request gives the key that proves every answer to it, refusals included.
    var secretHash: [UInt8]?
    do throws(Problem) {
      let (endpoint, name) = try route(request)
      secretHash = preprocessor.carriedSecretHash(endpoint, request)
      let outcome = try answer(endpoint, name, request, now: now)
      guard case .answer(var response) = outcome, response.secretHash == nil else { return outcome }
      response.secretHash = secretHash
      return .answer(response)
    } catch {
      var response = error.response
      response.secretHash = secretHash
      return .answer(response)
    }
  }

  /// What answers a request, and what stands in its address for a device, a venue or a number.
  private func route(_ request: IngestRequest) throws(Problem) -> (Endpoint, String) {
    guard let path = request.segments else { throw Problem(400, .badPath, "the path is not percent-encoded UTF-8") }
    switch Endpoint.find(request.method, path, isPublishedServed: settings.published != nil) {
    case .endpoint(let endpoint, let values): return (endpoint, values.first ?? "")
    case .otherMethods(let methods): throw Problem.wrongMethod(methods)
    case .nothing: throw RequestPreprocessor.noSuchAddress
    }
  }

  /// - Parameter name: what stands in the address for a device, a venue or a number; empty where nothing does.
  private func answer(
    _ endpoint: Endpoint, _ name: String, _ request: IngestRequest, now: Instant
  ) throws(Problem) -> Outcome {
    switch endpoint {
    case .health:
      // Not well without its store.
      _ = try stored { () throws(StoreFault) in try store.venues() }
      return .answer(IngestResponse(200))
    case .activate: return .answer(try activate(request, id: name, now: now))
    case .token: return .answer(try token(request, id: name, now: now))
    case .consent:
      return .answer(try withReserve { () throws(Problem) in try consent(request, id: name, now: now) })
    case .data: return .read(try access(request, id: name, now: now))
    case .erase: return .answer(try withReserve { () throws(Problem) in try erase(request, id: name, now: now) })
    case .positions, .publishedPositions:
      // Batches are read before, by their address as it is written; one that is written otherwise is not theirs.
      throw RequestPreprocessor.noSuchAddress
    case .venues: return .answer(venueList(request))
    case .packed: return .answer(try venueFile(request, id: name, isBundle: false, now: now))
    case .bundle: return .answer(try venueFile(request, id: name, isBundle: true, now: now))
    case .overland: return .answer(try overland(request, now: now))
    case .ownTracks: return .answer(try ownTracks(request, now: now))
    case .me: return .answer(try whoAsks(request, now: now))
    case .devices: return .read(try deviceQuery(request, now: now))
    case .revoke: return .answer(try revoke(request, device: name, isReset: false, now: now))
    case .reset: return .answer(try revoke(request, device: name, isReset: true, now: now))
    case .contacts: return .read(try contactQuery(request, now: now))
    case .exposures: return .read(try exposureQuery(request, now: now))
    case .occupancy: return .read(try occupancyQuery(request, now: now))
    case .watchedVenues: return .answer(try watchedVenues(request, now: now))
    case .plan: return .answer(try planDocument(request, venue: name, now: now))
    case .overview: return .read(try overviewQuery(request, now: now))
    case .status: return .answer(try serverStatus(request, now: now))
    case .moment: return .read(try momentQuery(request, now: now))
    case .notices: return .answer(try deviceNotices(request, id: name, now: now))
    case .acknowledge: return .answer(try acknowledge(request, id: name, now: now))
    case .makePageCode: return .answer(try makePageCode(request, id: name, now: now))
    case .usePageCode: return .answer(try usePageCode(request, now: now))
    case .deviceData: return .read(try deviceData(request, device: name, now: now))
    case .cases: return .answer(try caseList(request, now: now))
    case .makeCase: return .answer(try makeCase(request, now: now))
    case .changeCase: return .answer(try changeCase(request, number: name, now: now))
    case .deleteCase: return .answer(try deleteCase(request, number: name, now: now))
    case .caseExposures: return .read(try caseExposures(request, number: name, now: now))
    case .caseTree: return .read(try caseTree(request, number: name, now: now))
    case .caseStatus: return .answer(try changeStatus(request, number: name, now: now))
    case .makeNotices: return .answer(try makeNotices(request, number: name, now: now))
    case .alerts: return .answer(try alertList(request, now: now))
    case .makeAlertRule: return .answer(try makeAlertRule(request, now: now))
    case .changeAlertRule: return .answer(try changeAlertRule(request, number: name, now: now))
    case .deleteAlertRule: return .answer(try deleteAlertRule(request, number: name, now: now))
    case .quality: return .read(try qualityQuery(request, now: now))
    case .track: return .read(try trackQuery(request, now: now))
    case .audit: return .read(try auditQuery(request, now: now))
    case .invites: return .read(try inviteQuery(request, now: now))
    case .makeInvite: return .answer(try makeInvite(request, now: now))
    case .revokeInvite: return .answer(try revokeInvite(request, number: name, now: now))
    case .publishedInvite: return .answer(try publishedInvite(request, venue: name, now: now))
    case .publishedActivate: return .answer(try publishedActivate(request, id: name, now: now))
    case .publishedToken: return .answer(try publishedToken(request, id: name, now: now))
    }
  }

  /// Does what a full disk must not stop; when it does, the reserved room is given to it.
  private func withReserve<T>(_ body: () throws(Problem) -> T) throws(Problem) -> T {
    do throws(Problem) {
      return try body()
    } catch {
      guard error.code == .storeFull, let reserve else { throw error }
      // Without a reserve that is whole no rows are taken, so what was given before is still there.
      _ = reserve.release()
      isRoomScarce = true
      defer { isRoomScarce = false }
      _ = try? store.scrub()
      return try body()
    }
  }

  /// Runs what may fail in the store.
  package func stored<T>(_ body: () throws(StoreFault) -> T) throws(Problem) -> T {
    do throws(StoreFault) {
      return try body()
    } catch {
      undo()
      throw problem(error)
    }
  }

  /// Checks credentials. `body` failing with 401 or 403 counts, for the name that was tried and for the sender's address; beyond
  /// the limits the answer is 429 instead. Right credentials pass, however many others at the same address failed: they are
  /// secrets of 80 bits or more, which no rate of attempts finds.
  func guarded<T>(
    _ request: IngestRequest, name: String?, now: Instant, _ body: () throws(Problem) -> T
  ) throws(Problem) -> T {
    do throws(Problem) {
      return try body()
    } catch {
      // A holder of a code may learn that one name is taken, and not that many are.
      if [401, 403].contains(error.status) || error.code == .alreadyActive {
        try countFailure(request, name: name, now: now)
      }
      throw error
    }
  }

  /// Counts a failed attempt; fails with 429 when there were too many before it.
  func countFailure(_ request: IngestRequest, name: String?, now: Instant) throws(Problem) {
    let attempts = failedAttempts
    let wait = try stored { () throws(StoreFault) in
      try attempts.count(request.peer, name: name, in: failures, now: now)
    }
    if let wait { throw Ingest.tooManyFailures(wait) }
  }

  /// The limits of failed attempts.
  var failedAttempts: FailedAttempts {
    FailedAttempts(limit: settings.failuresPerMinute, key: preprocessor.tombstoneKey)
  }

  static func tooManyFailures(_ wait: Int) -> Problem {
    Problem(429, .tooManyFailures, "too many attempts failed", retryAfter: wait)
  }
}
