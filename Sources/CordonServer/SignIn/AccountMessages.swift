internal import CordonCore
internal import CordonIngest
internal import CordonOperators
internal import CordonSupport
internal import CordonWire
internal import Foundation

/// The body of a request that adds or changes an account.
struct AccountEntry: Decodable {
  struct VenueRole: Decodable {
    var venue: String
    var role: String
  }

  var name: String
  var signInName: String?
  var role: String?
  var roles: [VenueRole]?
  var isLocked: Bool?

  /// Reads a body.
  init(_ body: [UInt8]) throws(Problem) {
    try AccountMessages.check(body, ["name", "sign_in_name", "role", "roles", "is_locked"])
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      self = try decoder.decode(AccountEntry.self, from: Data(body))
    } catch {
      throw Problem(
        400, .badField,
        "name: a text; sign_in_name, role: texts; roles: objects with venue and role; is_locked: a truth value")
    }
  }

  /// The change that it stands for.
  func change() throws(Problem) -> AccountChange {
    func known(_ text: String) throws(Problem) -> Operator.Role {
      guard let role = Operator.Role(rawValue: text) else {
        let names = Operator.Role.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(400, .badField, "role: one of \(names)", field: "role")
      }
      return role
    }
    var everywhere: Operator.Role?
    if let role { everywhere = try known(role) }
    var venues: [VenueID: Operator.Role] = [:]
    for entry in roles ?? [] {
      guard let id = VenueID(entry.venue) else {
        throw Problem(400, .badField, "venue: not an identifier", field: "venue")
      }
      venues[id] = try known(entry.role)
    }
    return AccountChange(
      name: name, signInName: signInName, everywhere: everywhere, roles: venues, isDisabled: isLocked ?? false)
  }
}

/// Bodies and answers about accounts and sessions.
enum AccountMessages {
  /// Refuses bodies other than objects with known members.
  static func check(_ body: [UInt8], _ known: [String]) throws(Problem) {
    do throws(WireError) {
      try JSONMembers(body, mayBeEmpty: true).only(known)
    } catch {
      throw Problem(400, error.kind == .unknownMember ? .unknownField : .badJSON, error.reason, field: error.field)
    }
  }

  /// Returns the texts of a body, of which each may be missing.
  static func texts(_ body: [UInt8], _ known: [String]) throws(Problem) -> [String: String] {
    try check(body, known)
    do throws(WireError) {
      return try JSONMembers(body, mayBeEmpty: true).parameters(known)
    } catch {
      throw Problem(400, .badField, error.reason, field: error.field)
    }
  }

  /// An account as the API shows it. It has no secret, and no hash of one.
  static func describe(_ account: OperatorAccount, secret: String? = nil) -> JSONValue {
    let roles = account.roles.sorted { $0.key < $1.key }.map { venue, role -> JSONValue in
      ["venue": .string(venue.rawValue), "role": .string(role.rawValue)]
    }
    var members: [JSONValue.Member] = [
      .init("operator", .string(account.id)), .init("name", .string(account.name)),
      .init("sign_in_name", JSONValue(account.signInName)), .init("role", JSONValue(account.everywhere?.rawValue)),
      .init("roles", .array(roles)), .init("has_key", .bool(!account.keyHash.isEmpty)),
      .init("has_password", .bool(account.password != nil)), .init("one_time_codes", .bool(account.codeSecret != nil)),
      .init("provider", JSONValue(account.subject?.issuer)), .init("is_locked", .bool(account.isDisabled)),
    ]
    if let secret { members.append(.init("secret", .string(secret))) }
    return .object(members)
  }

  /// A session as the API shows it.
  static func describe(_ session: OperatorSession, isPresent: Bool, settings: SessionSettings) -> JSONValue {
    [
      "number": .integer(session.number), "method": .string(session.method.rawValue),
      "created": .integer(session.created.milliseconds), "last_seen": .integer(session.lastSeen.milliseconds),
      "expires": .integer(session.end(settings).milliseconds), "is_this_one": .bool(isPresent),
    ]
  }

  /// Events as the API shows them.
  static func describe(_ events: [AccountEvent], limit: Int) -> JSONValue {
    let list = events.map { event -> JSONValue in
      [
        "number": .integer(event.number), "time": .integer(event.time.milliseconds),
        "operator": .string(event.operator),
        "action": .string(event.action.rawValue), "account": JSONValue(event.subject),
      ]
    }
    let next = events.count == limit ? events.last?.number : nil
    return ["events": .array(list), "next_before": next.map { .integer($0) } ?? .null]
  }
}
