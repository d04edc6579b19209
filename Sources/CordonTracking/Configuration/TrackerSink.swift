package import Cordon
package import CordonMonitoring
package import Foundation

/// A sink with its kind and its address.
package struct TrackerSink: Sendable {
  /// The kinds of sinks.
  package enum Kind: String, CaseIterable, Sendable {
    case cordon, ingest, overland, owntracks, file

    package var id: SinkID {
      switch self {
      case .cordon: .cordon
      case .ingest: .ingest
      case .overland: .overland
      case .owntracks: .ownTracks
      case .file: .file
      }
    }
  }

  package var kind: Kind
  package var url: URL
  package var token: String?
  package var isRequired: Bool
  package var acceptsAnySuccess: Bool
  /// Whether the server needs an invite code first; `nil` uses the default of the kind.
  package var needsActivation: Bool?

  package init(
    _ kind: Kind, _ address: String, token: String? = nil, isRequired: Bool = true, acceptsAnySuccess: Bool = false,
    needsActivation: Bool? = nil, relativeTo folder: URL? = nil
  ) throws(TrackerError) {
    self.kind = kind
    self.token = token
    self.isRequired = isRequired
    self.acceptsAnySuccess = acceptsAnySuccess
    self.needsActivation = needsActivation
    if kind == .file {
      url = URL(fileURLWithPath: address, relativeTo: folder).absoluteURL
    } else {
      guard let url = URL(string: address), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
        url.host?.isEmpty == false
      else {
        throw TrackerError("bad-address", "\"\(address)\" is not an address that begins with https:// or http://")
      }
      self.url = url
    }
  }

  /// Parses `KIND=ADDRESS`, as on the command line.
  package init(parsing text: String) throws(TrackerError) {
    let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let equals = text.firstIndex(of: "="), let kind = Kind(rawValue: String(text[..<equals])) else {
      throw TrackerError("bad-sink", "\"\(text)\" is not KIND=ADDRESS; the kinds are \(names)")
    }
    try self.init(kind, String(text[text.index(after: equals)...]))
  }

  package var sink: Sink { Sink(kind.id, isRequired: isRequired, needsActivation: needsActivation) }

  package var endpoint: SinkEndpoint {
    var endpoint = SinkEndpoint(kind.id, url: url, token: token)
    endpoint.acceptsAnySuccess = acceptsAnySuccess
    return endpoint
  }
}
