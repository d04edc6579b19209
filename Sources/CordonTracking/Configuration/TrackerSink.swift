package import Cordon
package import CordonMonitoring
package import Foundation

/// A sink with its kind and its address.
package struct TrackerSink: Sendable {
  /// The kinds of sinks.
  package enum Kind: String, CaseIterable, Sendable {
    case cordon, ingest, overland, owntracks, file

    /// The number of the sink, unless it has one of its own.
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
  /// The number under which the store keeps what waits for it.
  package var id: SinkID
  package var url: URL
  package var token: String?
  package var isRequired: Bool
  package var acceptsAnySuccess: Bool
  /// Whether the server needs an invite code first; `nil` uses the default of the kind.
  package var needsActivation: Bool?

  /// - Parameter number: of the sink, 16 to 255; `nil` for the kind's own. Of two sinks of one kind, one needs it.
  package init(
    _ kind: Kind, _ address: String, number: UInt8? = nil, token: String? = nil, isRequired: Bool = true,
    acceptsAnySuccess: Bool = false,
    needsActivation: Bool? = nil, relativeTo folder: URL? = nil
  ) throws(TrackerError) {
    self.kind = kind
    id = number.map(SinkID.init(number:)) ?? kind.id
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

  package var sink: Sink {
    Sink(id, isRequired: isRequired, needsActivation: needsActivation, abilities: endpoint.format.abilities)
  }

  package var endpoint: SinkEndpoint {
    switch kind {
    case .cordon: SinkEndpoint(.cordon, id: id, url: url, token: token)
    case .ingest: SinkEndpoint(.ingest, id: id, url: url, token: token)
    case .overland:
      SinkEndpoint(OverlandFormat(acceptsAnySuccess: acceptsAnySuccess), id: id, url: url, token: token)
    case .owntracks: SinkEndpoint(.ownTracks, id: id, url: url, token: token)
    case .file: SinkEndpoint(.file, id: id, url: url)
    }
  }
}
