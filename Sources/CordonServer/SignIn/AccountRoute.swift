internal import CordonIngest

/// The routes of accounts and sessions, which the HTTP shell handles over ``OperatorDesk``: a method, and a path in which `{…}`
/// stands for any one part.
enum AccountRoute: String, CaseIterable {
  case accounts = "GET /v1/operator/accounts"
  case addAccount = "POST /v1/operator/accounts"
  case changeAccount = "PUT /v1/operator/accounts/{operator}"
  case removeAccount = "DELETE /v1/operator/accounts/{operator}"
  case resetPassword = "POST /v1/operator/accounts/{operator}/password"
  case events = "GET /v1/operator/account-events"
  case password = "POST /v1/operator/password"
  case offerCodes = "POST /v1/operator/one-time-codes"
  case acceptCodes = "PUT /v1/operator/one-time-codes"
  case removeCodes = "DELETE /v1/operator/one-time-codes"
  case sessions = "GET /v1/operator/sessions"
  case endSession = "DELETE /v1/operator/sessions/{number}"

  /// The resource at an address.
  enum Match: Equatable {
    /// A route, and what stands for the part in braces; empty where nothing does.
    case route(AccountRoute, String)
    /// Only some that know other methods.
    case otherMethods([String])
  }

  /// Returns what answers a request; `nil` for an address of others.
  static func find(_ method: String, _ path: String) -> Match? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var methods: [String] = []
    for route in allCases {
      let words = route.rawValue.split(separator: " ")
      let pattern = words[1].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == pattern.count, zip(parts, pattern).allSatisfy({ $0 == $1 || $1.first == "{" && !$0.isEmpty })
      else { continue }
      if words[0] == method {
        let name = zip(parts, pattern).first { $0.1.first == "{" }.map { String($0.0) }
        return .route(route, name ?? "")
      }
      methods.append(String(words[0]))
    }
    return methods.isEmpty ? nil : .otherMethods(methods)
  }
}
