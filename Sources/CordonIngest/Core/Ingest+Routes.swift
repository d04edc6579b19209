internal import CordonCore

extension Ingest {
  /// Answers everything that is not a batch of positions.
  func respond(to request: IngestRequest, now: Instant) -> Outcome {
    do throws(Problem) {
      guard let path = request.segments else { throw Problem(400, "bad-path", "the path is not percent-encoded UTF-8") }
      return try route(request, path, now: now)
    } catch {
      return .answer(error.response)
    }
  }

  private func route(_ request: IngestRequest, _ path: [String], now: Instant) throws(Problem) -> Outcome {
    func only(_ methods: String...) throws(Problem) {
      if !methods.contains(request.method) { throw Intake.wrongMethod(methods.joined(separator: " and ")) }
    }
    switch path.count {
    case 1 where path[0] == "health":
      try only("GET", "HEAD")
      // Not well without its store.
      _ = try stored { () throws(StoreFault) in try store.venues() }
      return .answer(IngestResponse(200))
    case 1 where path[0] == "overland":
      try only("POST")
      return .answer(try overland(request, now: now))
    case 1 where path[0] == "owntracks":
      try only("POST")
      return .answer(try ownTracks(request, now: now))
    case 4 where path[0] == "v1" && path[1] == "devices":
      let id = path[2]
      switch path[3] {
      case "activate":
        try only("POST")
        return .answer(try activate(request, id: id, now: now))
      case "token":
        try only("POST")
        return .answer(try token(request, id: id, now: now))
      case "consent":
        try only("PUT")
        return .answer(try consent(request, id: id, now: now))
      case "data":
        try only("GET")
        return .read(try access(request, id: id, now: now))
      default: break
      }
    case 3 where path[0] == "v1" && path[1] == "devices":
      try only("DELETE")
      return .answer(try erase(request, id: path[2], now: now))
    case 2 where path[0] == "v1" && path[1] == "venues":
      try only("GET", "HEAD")
      return .answer(venueList(request))
    case 4 where path[0] == "v1" && path[1] == "venues":
      try only("GET", "HEAD")
      return .answer(try venueFile(request, id: path[2], file: path[3], now: now))
    case 3... where path[0] == "v1" && path[1] == "operator":
      return try operatorRoute(request, Array(path.dropFirst(2)), now: now)
    case 2 where path[0] == "invite-code" && settings.published != nil:
      try only("POST")
      return .answer(try publishedInvite(request, venue: path[1], now: now))
    case 3 where path[0] == "device" && path[2] == "activate" && settings.published != nil:
      try only("POST")
      return .answer(try publishedActivate(request, id: path[1], now: now))
    case 3 where path[0] == "device" && path[2] == "token" && settings.published != nil:
      try only("GET")
      return .answer(try publishedToken(request, id: path[1], now: now))
    default: break
    }
    throw Problem(404, "no-such-address", "there is nothing at this address")
  }

  /// Runs what may fail in the store.
  func stored<T>(_ body: () throws(StoreFault) -> T) throws(Problem) -> T {
    do throws(StoreFault) {
      return try body()
    } catch {
      undo()
      throw problem(error)
    }
  }

  /// Refuses peers that failed too often; `body` failing with 401 or 403 counts, for the name that was tried and for the peer.
  func guarded<T>(
    _ request: IngestRequest, name: String?, now: Instant, _ body: () throws(Problem) -> T
  ) throws(Problem) -> T {
    try checkFailures(request, name: name, now: now)
    do throws(Problem) {
      return try body()
    } catch {
      if error.status == 401 || error.status == 403 { quotas.fail(request.peer, name: name, now: now) }
      throw error
    }
  }

  func checkFailures(_ request: IngestRequest, name: String?, now: Instant) throws(Problem) {
    if let wait = quotas.wait(for: request.peer, name: name, limit: settings.failuresPerMinute, now: now) {
      throw Problem(429, "too-many-failures", "too many attempts failed", retryAfter: wait)
    }
  }
}
