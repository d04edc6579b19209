package import Cordon
package import CordonFHIR
package import CordonMonitoring
package import CordonSignIn
package import Foundation

/// A sink with its kind and its address.
package struct TrackerSink: Sendable {
  /// The kinds of sinks.
  package enum Kind: String, CaseIterable, Sendable {
    case cordon, ingest, overland, owntracks, file, fhir

    /// The number of the sink, unless it has one of its own.
    package var id: SinkID {
      switch self {
      case .cordon: .cordon
      case .ingest: .ingest
      case .overland: .overland
      case .owntracks: .ownTracks
      case .file: .file
      case .fhir: .fhir
      }
    }
  }

  package var kind: Kind
  /// The number under which the store keeps what waits for it.
  package var id: SinkID
  package var url: URL
  package var token: String?
  package var isRequired: Bool
  /// Whether the server needs an invite code first; `nil` uses the default of the kind.
  package var needsActivation: Bool?
  /// The person, the device and the type of data of a FHIR server; `nil` for other kinds.
  package let target: FHIRTarget?
  /// The provider of the sink's tokens; `nil` for a fixed token or none.
  package var signIn: SignInMachine.Configuration?
  /// The secret that signs the settings of an Overland receiver; `nil` ignores them.
  package var settingsKey: String?
  /// The purposes of the rows that the sink receives.
  package var purposes: Consent.Purposes = .record
  private let format: any SinkFormat

  /// - Parameters:
  ///   - kind: the kind.
  ///   - address: the URL, or the path of a file.
  ///   - number: of the sink, 16 to 255; `nil` for the kind's own. Of two sinks of one kind, one needs it.
  ///   - token: the bearer token of the receiver.
  ///   - isRequired: whether rows wait for it.
  ///   - overland: the format of an Overland receiver.
  ///   - needsActivation: see ``needsActivation``.
  ///   - target: the person, the device and the type of data; a FHIR server needs it.
  ///   - signIn: the provider of the sink's tokens.
  ///   - folder: the folder of relative paths.
  package init(
    _ kind: Kind, _ address: String, number: UInt8? = nil, token: String? = nil, isRequired: Bool = true,
    overland: OverlandFormat = OverlandFormat(),
    needsActivation: Bool? = nil, target: FHIRTarget? = nil,
    signIn: SignInMachine.Configuration? = nil, relativeTo folder: URL? = nil
  ) throws(TrackerError) {
    self.kind = kind
    id = number.map(SinkID.init(number:)) ?? kind.id
    self.token = token
    self.isRequired = isRequired
    self.needsActivation = needsActivation
    self.target = kind == .fhir ? target : nil
    self.signIn = signIn
    switch kind {
    case .cordon: format = CordonFormat()
    case .ingest: format = IngestFormat()
    case .overland: format = overland
    case .owntracks: format = OwnTracksFormat()
    case .file: format = FileFormat()
    case .fhir:
      guard let target else {
        throw TrackerError(
          "bad-sink", "a FHIR server needs the keys patient and device; name it among the sinks of a configuration file"
        )
      }
      format = FHIRFormat(target)
    }
    if kind == .file {
      url = URL(fileURLWithPath: address, relativeTo: folder).absoluteURL
    } else {
      let template = kind == .overland ? OverlandFormat.url(template: address) : URL(string: address)
      guard let url = template, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
        url.host?.isEmpty == false
      else {
        throw TrackerError("bad-address", "\"\(address)\" is not an address that begins with https:// or http://")
      }
      self.url = url
    }
  }

  /// Parses `KIND=ADDRESS` or `KIND:NUMBER=ADDRESS`, as on the command line.
  package init(parsing text: String) throws(TrackerError) {
    let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    let invalid = TrackerError(
      "bad-sink", "'\(text)' is not KIND=ADDRESS or KIND:NUMBER=ADDRESS; the kinds are \(names)")
    guard let equals = text.firstIndex(of: "=") else { throw invalid }
    let parts = text[..<equals].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }) else { throw invalid }
    var number: UInt8?
    if parts.count > 1 {
      guard let own = UInt8(parts[1]), own >= 16 else {
        throw TrackerError("bad-sink", "'\(text)': the number of a sink is 16 to 255")
      }
      number = own
    }
    try self.init(kind, String(text[text.index(after: equals)...]), number: number)
  }

  /// Parses the sinks of a command line, each with a number of its own.
  package static func list(parsing texts: [String]) throws(TrackerError) -> [TrackerSink] {
    var sinks: [TrackerSink] = []
    for text in texts {
      let sink = try TrackerSink(parsing: text)
      if sinks.contains(where: { $0.id == sink.id }) {
        throw TrackerError(
          "usage",
          "--sink: two sinks have the number \(sink.id.number); give one a number of its own, such as \(sink.kind.rawValue):16=ADDRESS"
        )
      }
      sinks.append(sink)
    }
    return sinks
  }

  package var sink: Sink {
    Sink(
      id, isRequired: isRequired, needsActivation: needsActivation, abilities: format.abilities, purposes: purposes)
  }

  package var endpoint: SinkEndpoint {
    SinkEndpoint(format, id: id, url: url, token: kind == .file ? nil : token)
  }
}
