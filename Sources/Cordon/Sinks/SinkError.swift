public import CordonCore
public import CordonMonitoring

/// A mismatch of configured sinks and endpoints.
public enum SinkError: CordonError, Hashable {
  /// Two endpoints have the same number.
  case sharedNumber(SinkID)
  /// A configured sink has no endpoint: nothing could be sent to it.
  case noEndpoint(SinkID)
  /// An endpoint has no configured sink: nothing would be sent to it.
  case noSink(SinkID)
  /// The configuration requires an activation that the format does not have.
  case noActivation(SinkID, format: String)
  /// Several sinks require an activation, but a device has one secret and one token.
  case severalActivations([SinkID])

  /// Names the sinks by their numbers.
  public var description: String {
    switch self {
    case .sharedNumber(let sink): "two endpoints have the number \(sink.number) (\(sink))"
    case .noEndpoint(let sink): "the sink \(sink) (number \(sink.number)) of the settings has no endpoint"
    case .noSink(let sink): "the endpoint of number \(sink.number) (\(sink)) is not among the sinks of the settings"
    case .noActivation(let sink, let format):
      "the sink \(sink) needs an activation, which the format \(format) does not have"
    case .severalActivations(let sinks):
      "the sinks \(sinks.map(\.description).joined(separator: " and ")) need an activation; a device can have one"
    }
  }

  /// The necessary change of the endpoints or the configuration.
  public var remedy: String {
    switch self {
    case .sharedNumber: "Give one a number of its own, 16 to 255: SinkEndpoint(_:id:url:)."
    case .noEndpoint: "Pass a SinkEndpoint with that id, or remove the sink from MonitorConfiguration.sinks."
    case .noSink: "Add Sink(_:) with that number to MonitorConfiguration.sinks, or remove the endpoint."
    case .noActivation: "Set needsActivation of the sink to false."
    case .severalActivations: "Set needsActivation of all of these sinks but one to false."
    }
  }
}
