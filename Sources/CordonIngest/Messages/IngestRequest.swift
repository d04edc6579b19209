internal import CordonCore
internal import CordonSupport

/// One HTTP request, without a socket: what the core is given.
package struct IngestRequest: Hashable, Sendable {
  /// `GET`, `POST`, `PUT`, `DELETE`, in capitals.
  package var method: String
  /// The path, still percent-encoded, without the query.
  package var path: String
  /// The query after the question mark, still percent-encoded; empty when there is none.
  package var query: String
  /// Header fields in the order in which they came, names in lower case.
  package var headers: [Header]
  /// The body as it came, perhaps compressed.
  package var body: [UInt8]
  /// The address of the client without its port, as the shell knows it. Attempts are counted by it.
  package var peer: String
  /// A name for this request, for logs and answers.
  package var id: String
  /// The session of a browser that the request belongs to; set by the shell alone, never read from the request itself.
  package var session: PresentedSession?
  /// The members of the body, where they stand for parameters; `nil` where those are in the query.
  var members: [String: String]?

  /// A header field.
  package struct Header: Hashable, Sendable {
    /// The name in lower case.
    package var name: String
    /// The value as it came.
    package var value: String

    /// A field; the name is lowered.
    package init(_ name: String, _ value: String) {
      self.name = name.lowercased()
      self.value = value
    }

    /// A field whose name is in lower case.
    package init(lowercased name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request. `target` is the path with or without a query.
  package init(
    _ method: String, _ target: String, headers: [Header] = [], body: [UInt8] = [], peer: String = "", id: String = ""
  ) {
    self.method = method
    if let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) {
      path = String(target[..<mark])
      query = String(target[target.utf8.index(after: mark)...])
    } else {
      path = target
      query = ""
    }
    self.headers = headers
    self.body = body
    self.peer = peer
    self.id = id
  }

  /// The value of the first field with this name (lower case).
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The path cut at its slashes and percent-decoded; `nil` when a part is not UTF-8.
  var segments: [String]? {
    var result: [String] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      guard let text = PercentEncoding.decode(Substring(part)) else { return nil }
      result.append(text)
    }
    return result
  }

  /// The value of a parameter: the member of the body where parameters are read from there, else the first value in the query,
  /// percent-decoded.
  package func parameter(_ name: String) -> String? {
    if let members { return members[name] }
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = pair.first, PercentEncoding.decode(key, plusIsSpace: true) == name else { continue }
      return pair.count > 1 ? PercentEncoding.decode(pair[1], plusIsSpace: true) : ""
    }
    return nil
  }
}
