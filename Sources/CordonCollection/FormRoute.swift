/// The routes of forms: a method, and a path in which `{…}` stands for any one part.
///
/// A test compares them with the description (OpenAPI).
package enum FormRoute: String, CaseIterable, Sendable {
  // Of those who answer: devices with a token, and collectors with a key.
  case list = "GET /v1/forms"
  case form = "GET /v1/forms/{form}"
  case sync = "POST /v1/forms/{form}/sync"
  case ownRecords = "GET /v1/forms/{form}/records"
  case eraseOwn = "DELETE /v1/forms/{form}/records/{record}"
  // Of operators.
  case catalog = "GET /v1/operator/forms"
  case publish = "POST /v1/operator/forms"
  case check = "POST /v1/operator/form-check"
  case versions = "GET /v1/operator/forms/{form}"
  case keys = "GET /v1/operator/forms/{form}/keys"
  case makeKey = "POST /v1/operator/forms/{form}/keys"
  case removeKey = "DELETE /v1/operator/forms/{form}/keys/{number}"
  case records = "POST /v1/operator/forms/{form}/records"
  case summary = "POST /v1/operator/forms/{form}/summary"
  case erase = "DELETE /v1/operator/forms/{form}/records/{record}"

  /// Whether operators use it.
  package var isOfOperators: Bool {
    switch self {
    case .list, .form, .sync, .ownRecords, .eraseOwn: false
    default: true
    }
  }

  /// The resource at an address.
  package enum Match: Equatable, Sendable {
    /// A route, and what stands for the parts in braces.
    case route(FormRoute, [String])
    /// Only some that know other methods.
    case otherMethods([String])
  }

  /// Returns what answers a request; `nil` for an address of others.
  package static func find(_ method: String, _ path: String) -> Match? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var methods: [String] = []
    for route in allCases {
      let words = route.rawValue.split(separator: " ")
      let pattern = words[1].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == pattern.count, zip(parts, pattern).allSatisfy({ $0 == $1 || $1.first == "{" && !$0.isEmpty })
      else { continue }
      if words[0] == method {
        return .route(route, zip(parts, pattern).filter { $0.1.first == "{" }.map { String($0.0) })
      }
      methods.append(String(words[0]))
    }
    return methods.isEmpty ? nil : .otherMethods(methods)
  }
}
