/// A service point of a venue: where its servers are, when they work, and in which order they serve.
package struct ServiceStation: Hashable, Sendable {
  /// The name of the service, such as `registration`.
  package var name: String
  /// The servers; at least one.
  package var servers: [Server]
  /// Whether people wait elsewhere until a server calls them. Otherwise they stand in a line in front of the servers,
  /// which are all at one destination.
  package var callsPeople: Bool
  /// The order of service.
  package var order: QueueingStation.Order

  /// One server.
  package struct Server: Hashable, Sendable {
    /// The place of service: an index in ``World/destinations``.
    package var destination: Int
    /// The working hours.
    package var hours: ServerHours

    /// Creates a server from its parts.
    package init(destination: Int, hours: ServerHours = .always) {
      self.destination = destination
      self.hours = hours
    }
  }

  /// Creates a station from its parts.
  package init(
    name: String, servers: [Server], callsPeople: Bool = false, order: QueueingStation.Order = .arrival
  ) {
    self.name = name
    self.servers = servers
    self.callsPeople = callsPeople
    self.order = order
  }

  /// Returns the station without customers.
  package var station: QueueingStation { QueueingStation(servers: servers.map(\.hours), order: order) }
}
