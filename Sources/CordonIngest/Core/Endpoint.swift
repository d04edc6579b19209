/// A route of the core: a method, and a path in which `{…}` stands for any one part.
///
/// The router finds requests here and nowhere else, so this list is complete; the tests compare it with the description
/// (OpenAPI).
package enum Endpoint: String, CaseIterable, Sendable {
  case health = "GET /health"
  case activate = "POST /v1/devices/{device}/activate"
  case token = "POST /v1/devices/{device}/token"
  case consent = "PUT /v1/devices/{device}/consent"
  case data = "GET /v1/devices/{device}/data"
  case notices = "GET /v1/devices/{device}/notices"
  case acknowledge = "POST /v1/devices/{device}/notices"
  case makePageCode = "POST /v1/devices/{device}/page-code"
  case usePageCode = "POST /v1/page-code"
  case erase = "DELETE /v1/devices/{device}"
  case positions = "POST /v1/positions"
  case venues = "GET /v1/venues"
  case packed = "GET /v1/venues/{venue}/packed"
  case bundle = "GET /v1/venues/{venue}/bundle"
  case overland = "POST /overland"
  case ownTracks = "POST /owntracks"
  case me = "GET /v1/operator/me"
  case devices = "POST /v1/operator/devices"
  case revoke = "POST /v1/operator/devices/{device}/revoke"
  case reset = "POST /v1/operator/devices/{device}/reset"
  case deviceData = "POST /v1/operator/devices/{device}/data"
  case contacts = "POST /v1/operator/contacts"
  case exposures = "POST /v1/operator/exposures"
  case occupancy = "GET /v1/operator/occupancy"
  case watchedVenues = "GET /v1/operator/venues"
  case plan = "GET /v1/operator/venues/{venue}/plan"
  case overview = "GET /v1/operator/overview"
  case status = "GET /v1/operator/status"
  case moment = "POST /v1/operator/moment"
  case track = "POST /v1/operator/track"
  case quality = "GET /v1/operator/quality"
  case cases = "GET /v1/operator/cases"
  case makeCase = "POST /v1/operator/cases"
  case changeCase = "PUT /v1/operator/cases/{number}"
  case deleteCase = "DELETE /v1/operator/cases/{number}"
  case caseExposures = "POST /v1/operator/cases/{number}/exposures"
  case caseTree = "POST /v1/operator/cases/{number}/tree"
  case caseStatus = "PUT /v1/operator/cases/{number}/status"
  case makeNotices = "POST /v1/operator/cases/{number}/notices"
  case alerts = "GET /v1/operator/alerts"
  case makeAlertRule = "POST /v1/operator/alerts"
  case changeAlertRule = "PUT /v1/operator/alerts/{number}"
  case deleteAlertRule = "DELETE /v1/operator/alerts/{number}"
  case audit = "POST /v1/operator/audit"
  case invites = "GET /v1/operator/invite-codes"
  case makeInvite = "POST /v1/operator/invite-codes"
  case revokeInvite = "DELETE /v1/operator/invite-codes/{number}"
  case publishedInvite = "POST /invite-code/{venue}"
  case publishedActivate = "POST /device/{device}/activate"
  case publishedToken = "GET /device/{device}/token"
  case publishedPositions = "POST /positions"

  /// Whether it is of the published API, which may be off.
  package var isPublished: Bool {
    switch self {
    case .publishedInvite, .publishedActivate, .publishedToken, .publishedPositions: true
    default: false
    }
  }

  /// The route of a request with its placeholders, such as `GET /v1/venues/{venue}/packed`; `nil` for no route.
  package static func route(_ method: String, _ path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    guard case .endpoint(let endpoint, _) = find(method, parts, isPublishedServed: true) else { return nil }
    return endpoint.rawValue
  }

  /// Whether it answers HEAD as it answers GET.
  package var answersHead: Bool { [.health, .venues, .packed, .bundle].contains(self) }

  /// The resource at an address.
  enum Match: Equatable {
    /// One that knows the method, and what stands for the parts in braces.
    case endpoint(Endpoint, [String])
    /// Only some that know other methods.
    case otherMethods([String])
    /// Nothing.
    case nothing
  }

  private struct Pattern {
    var endpoint: Endpoint
    var methods: [String]
    var parts: [Substring]

    init(_ endpoint: Endpoint) {
      self.endpoint = endpoint
      let words = endpoint.rawValue.split(separator: " ")
      methods = [String(words[0])] + (endpoint.answersHead ? ["HEAD"] : [])
      parts = words[1].split(separator: "/")
    }

    func values(in path: [String]) -> [String]? {
      guard path.count == parts.count else { return nil }
      var values: [String] = []
      for (part, text) in zip(parts, path) {
        if part.first == "{" {
          values.append(text)
        } else if part != text {
          return nil
        }
      }
      return values
    }
  }

  private static let patterns = allCases.map { Pattern($0) }

  /// Looks for what answers a request.
  /// - Parameters:
  ///   - method: in capitals.
  ///   - path: the parts of the address, decoded.
  ///   - isPublishedServed: whether the published API is on.
  static func find(_ method: String, _ path: [String], isPublishedServed: Bool) -> Match {
    var others: [String] = []
    for pattern in patterns where isPublishedServed || !pattern.endpoint.isPublished {
      guard let values = pattern.values(in: path) else { continue }
      if pattern.methods.contains(method) { return .endpoint(pattern.endpoint, values) }
      others += pattern.methods
    }
    return others.isEmpty ? .nothing : .otherMethods(others)
  }
}
