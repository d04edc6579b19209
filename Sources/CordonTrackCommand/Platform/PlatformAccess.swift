import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonSealing
import CordonSignIn
import CordonTracking
import Foundation

extension TrackerConfiguration {
  /// Returns the sign-in of a sink; `nil` when it has none. Its tokens are sealed even where the store is not.
  func session(of sink: TrackerSink) throws -> SignInSession? {
    guard let configuration = sink.signIn else { return nil }
    let store = try storePath()
    let sealer = AESGCMSealer(keys: FileKeyStore(path: keys ?? store + ".keys"))
    let vault = SealedTokenVault(
      path: "\(store).sign-in-\(sink.id.number)", sealer: sealer, issuer: configuration.issuer)
    return SignInSession(configuration, vault: vault)
  }

  /// Returns the endpoint of a sink, with the tokens of its sign-in.
  func endpoint(of sink: TrackerSink) throws -> SinkEndpoint { try endpoint(of: sink, settings: nil) }

  /// Returns the endpoint of a sink, with the tokens of its sign-in, the receiver of its settings, and the source of trips.
  func endpoint(
    of sink: TrackerSink, settings: RemoteSettingsStore?, trips: TripLog? = nil
  ) throws -> SinkEndpoint {
    var plain = sink.endpoint
    if var format = plain.format as? OverlandFormat {
      format.settings = settings
      format.trips = trips
      plain.format = format
    }
    let endpoint = plain
    return try session(of: sink).map { endpoint.signedIn($0) } ?? endpoint
  }

  /// Returns the endpoint of an Overland receiver that sends an ended trip; `nil` for other sinks, and for those that are not
  /// configured any more.
  func endpoint(sending trip: [UInt8], toSink number: UInt8) -> SinkEndpoint? {
    guard let sink = sinks.first(where: { $0.id.number == number }) else { return nil }
    var endpoint = sink.endpoint
    guard let format = endpoint.format as? OverlandFormat else { return nil }
    endpoint.format = OverlandTripFormat(format, body: trip)
    // A sign-in that cannot be opened is reported with the rows; the trip waits for it.
    guard sink.signIn != nil else { return endpoint }
    return (try? session(of: sink)).map { endpoint.signedIn($0) } ?? endpoint
  }

  /// Opens the settings that the receiver of a sink sends; `nil` without a key for them.
  func remoteSettings(
    of sink: TrackerSink, changed: @escaping @Sendable (RemoteSettings?) -> Void
  ) throws -> RemoteSettingsStore? {
    guard let key = sink.settingsKey else { return nil }
    return RemoteSettingsStore(path: "\(try storePath()).settings-\(sink.id.number)", key: key, changed: changed) {
      reason in
      Printer.note("cordon-track: settings of sink \(sink.id.number) are refused: \(reason)")
    }
  }

  /// Returns the client of the consents of a sink; `nil` for sinks of other kinds.
  func consentClient(of sink: TrackerSink) throws -> ConsentClient? {
    guard let target = sink.target else { return nil }
    let session = try session(of: sink)
    let fixed = sink.token
    return try ConsentClient(base: sink.url, target: target, transport: URLSessionTransport(timeout: 30)) {
      guard let session else { return fixed }
      return try await session.token().get()
    }
  }

  /// Returns the sink that a command means.
  /// - Parameter number: the number on the command line; `nil` for the only one that fits.
  func sink(_ number: UInt8?, _ what: String, where fits: (TrackerSink) -> Bool) throws -> TrackerSink {
    let all = sinks.filter { fits($0) && (number == nil || $0.id.number == number) }
    if let sink = all.first, all.count == 1 { return sink }
    let numbers = sinks.filter(fits).map { String($0.id.number) }.joined(separator: ", ")
    throw TrackerError(
      "usage",
      numbers.isEmpty
        ? "no sink of the configuration has \(what)" : "name the sink with --sink; those with \(what) are \(numbers)")
  }
}
