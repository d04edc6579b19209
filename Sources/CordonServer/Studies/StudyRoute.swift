/// The routes of studies, which the HTTP shell handles over ``StudyDesk``: a method, and a path in which `{…}` stands for any one
/// part. Those of participants come first, since no study has the code `join` or `me`.
enum StudyRoute: String, CaseIterable {
  case offer = "GET /v1/studies/join"
  case enrol = "POST /v1/studies/join"
  case progress = "GET /v1/studies/me"
  case change = "PUT /v1/studies/me"
  case erase = "DELETE /v1/studies/me"
  case copy = "GET /v1/studies/me/data"
  case plans = "GET /v1/studies/me/plans"
  case events = "POST /v1/studies/me/events"
  case locations = "POST /v1/studies/me/locations"
  case pause = "POST /v1/studies/me/pause"
  case resume = "POST /v1/studies/me/resume"
  case leave = "POST /v1/studies/me/leave"
  case consent = "POST /v1/studies/me/consent"
  case studies = "GET /v1/studies"
  case save = "POST /v1/studies"
  case study = "GET /v1/studies/{study}"
  case invite = "POST /v1/studies/{study}/invitations"
  case participants = "GET /v1/studies/{study}/participants"
  case eraseParticipant = "DELETE /v1/studies/{study}/participants/{participant}"
  case quality = "GET /v1/studies/{study}/quality"
  case visits = "POST /v1/studies/{study}/visits"
  case ledger = "GET /v1/studies/{study}/ledger"
  case decide = "PUT /v1/studies/{study}/payouts/{payout}"
  case export = "POST /v1/studies/{study}/exports/{table}"
  case audit = "GET /v1/studies/{study}/audit"

  /// Whether participants ask, with their keys; all others are for researchers.
  var isOfParticipants: Bool { rawValue.contains("/studies/me") || isPublic }
  /// Whether it is answered without a key.
  var isPublic: Bool { self == .offer || self == .enrol }

  /// The resource at an address.
  enum Match: Equatable {
    /// A route, and what stands for the parts in braces.
    case route(StudyRoute, [String])
    /// Only some that know other methods.
    case otherMethods([String])
  }

  /// Returns what answers a request; `nil` for an address of others.
  static func find(_ method: String, _ path: String) -> Match? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[1] == "v1", parts[2] == "studies" else { return nil }
    var methods: [String] = []
    for route in allCases {
      let words = route.rawValue.split(separator: " ")
      let pattern = words[1].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == pattern.count,
        zip(parts, pattern).allSatisfy({ $0 == $1 || $1.first == "{" && !$0.isEmpty && $0 != "join" && $0 != "me" })
      else { continue }
      if words[0] == method {
        return .route(route, zip(parts, pattern).filter { $0.1.first == "{" }.map { String($0.0) })
      }
      methods.append(String(words[0]))
    }
    return methods.isEmpty ? nil : .otherMethods(methods)
  }
}
