import CordonCore
package import CordonSupport
internal import CordonWire

/// One HTTP response, without a socket.
package struct IngestResponse: Hashable, Sendable {
  /// The status code.
  package var status: Int
  /// Header fields, names in lower case.
  package var headers: [IngestRequest.Header]
  /// The body.
  package var body: [UInt8]
  /// SHA-256 of the secret that the server shares with the device that asked: what ``RequestPreprocessor/prove(_:for:)`` proves the response with.
  /// `nil` when there is no such secret.
  package var secretHash: [UInt8]?
  /// The receipt that takes the place of this refusal as soon as another server has finished the erasure; `nil` for all other
  /// responses.
  package var held: HeldReceipt?

  /// A response.
  package init(_ status: Int, headers: [IngestRequest.Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON body.
  package static func json(_ status: Int, _ value: JSONValue, headers: [IngestRequest.Header] = []) -> IngestResponse {
    json(status, bytes: Array(value.text().utf8), headers: headers)
  }

  /// A message of devices.
  static func json(_ status: Int, _ message: some DeviceMessage) -> IngestResponse {
    json(status, bytes: message.encoded())
  }

  /// A JSON body that is text already.
  package static func json(_ status: Int, bytes: [UInt8], headers: [IngestRequest.Header] = []) -> IngestResponse {
    IngestResponse(status, headers: headers.isEmpty ? jsonHeaders : jsonHeaders + headers, body: bytes)
  }

  /// Answers about devices must not be cached on the way.
  private static let jsonHeaders: [IngestRequest.Header] = [
    .init("content-type", "application/json"), .init("cache-control", "no-store"),
  ]

  /// The value of the first field with this name (lower case).
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why a request was not done: the body of every 4xx and 5xx (RFC 9457).
package struct Problem: Error, Hashable, Sendable {
  /// The status code.
  package var status: Int
  /// The word for programs: `bad-json`, `token-expired`.
  package var code: Code
  /// A sentence for people.
  package var detail: String
  /// The field that is wrong, if it is one.
  package var field: String?
  /// The row that is wrong, counted from 0, if it is one.
  package var row: Int?
  /// The byte of the body that is wrong, counted from 0, if it is one.
  package var offset: Int?
  /// For how many seconds to wait, for 429 and 503.
  package var retryAfter: Int?
  /// The methods that the address knows, for 405.
  package var allowed: [String] = []

  /// A problem.
  package init(
    _ status: Int, _ code: Code, _ detail: String, field: String? = nil, row: Int? = nil, offset: Int? = nil,
    retryAfter: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.field = field
    self.row = row
    self.offset = offset
    self.retryAfter = retryAfter
  }

  /// At an address that knows other methods.
  package static func wrongMethod(_ allowed: [String]) -> Problem {
    var problem = Problem(405, .methodNotAllowed, "this address knows \(allowed.joined(separator: " and "))")
    problem.allowed = allowed
    return problem
  }

  /// The response with the problem as its body.
  package var response: IngestResponse {
    var members: [JSONValue.Member] = [
      .init("type", .string("urn:cordon:problem:\(code.rawValue)")), .init("title", .string(Problem.title(of: status))),
      .init("status", .integer(Int64(status))), .init("code", .string(code.rawValue)), .init("detail", .string(detail)),
    ]
    if let field { members.append(.init("field", .string(field))) }
    if let row { members.append(.init("row", .integer(Int64(row)))) }
    if let offset { members.append(.init("offset", .integer(Int64(offset)))) }
    var headers: [IngestRequest.Header] = [
      .init("content-type", "application/problem+json"), .init("cache-control", "no-store"),
    ]
    if let retryAfter { headers.append(.init("retry-after", String(retryAfter))) }
    if !allowed.isEmpty { headers.append(.init("allow", allowed.joined(separator: ", "))) }
    if status == 401 { headers.append(.init("www-authenticate", challenge)) }
    return IngestResponse(status, headers: headers, body: Array(JSONValue.object(members).text().utf8))
  }

  private var challenge: String {
    code.concernsToken
      ? "Bearer realm=\"cordon\", error=\"invalid_token\"" : "Basic realm=\"cordon\", charset=\"UTF-8\""
  }

  static func title(of status: Int) -> String {
    switch status {
    case 400: "Bad request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not found"
    case 405: "Method not allowed"
    case 409: "Conflict"
    case 410: "Gone"
    case 413: "Content too large"
    case 415: "Unsupported media type"
    case 422: "Unprocessable content"
    case 429: "Too many requests"
    case 503: "Service unavailable"
    default: "Error"
    }
  }
}

extension Problem {
  /// The problem of a body whose members cannot be read.
  init(_ error: WireError) {
    self =
      switch error.kind {
      case .badMember: Problem(400, .badField, error.reason, field: error.field)
      case .unknownMember: Problem(400, .unknownField, error.reason, field: error.field)
      case .malformed, .tooLong, .tooManyRows, .numberOutOfRange:
        Problem(400, .badJSON, error.reason, offset: error.offset)
      }
  }
}
