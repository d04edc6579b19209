import CordonMonitoring

/// A monitor's sinks: the configuration and the endpoints, which must match.
struct SinkPlan {
  let configuration: MonitorConfiguration
  let endpoints: [SinkID: SinkEndpoint]

  /// - Parameter configuration: `nil` for the defaults, with the endpoints' sinks.
  /// - Throws: `MonitorConfigurationError` or ``SinkError``.
  init(_ configuration: MonitorConfiguration?, _ endpoints: [SinkEndpoint]) throws {
    var table: [SinkID: SinkEndpoint] = [:]
    for endpoint in endpoints {
      guard table.updateValue(endpoint, forKey: endpoint.id) == nil else { throw SinkError.sharedNumber(endpoint.id) }
    }
    var plan = configuration ?? MonitorConfiguration()
    if configuration == nil { plan.sinks = endpoints.map(\.sink) }
    try plan.validate()
    for index in plan.sinks.indices {
      let sink = plan.sinks[index]
      guard let endpoint = table[sink.id] else { throw SinkError.noEndpoint(sink.id) }
      let abilities = endpoint.format.abilities
      if sink.needsActivation, !abilities.contains(.activation) {
        throw SinkError.noActivation(sink.id, format: endpoint.format.name)
      }
      plan.sinks[index].abilities = abilities
    }
    let known = Set(plan.sinks.map(\.id))
    if let unused = endpoints.first(where: { !known.contains($0.id) }) { throw SinkError.noSink(unused.id) }
    let activating = plan.sinks.filter(\.needsActivation).map(\.id)
    guard activating.count <= 1 else { throw SinkError.severalActivations(activating) }
    self.configuration = plan
    self.endpoints = table
  }
}
