/// A number of servers, and the part of the day in which they work.
package struct ServerShift: Hashable, Sendable {
  /// The part of the day; `nil` for the whole run.
  package var window: ClockWindow?
  /// The number of servers in each space of the activity; at least 1.
  package var servers: Int

  /// Creates a shift from its parts.
  package init(window: ClockWindow? = nil, servers: Int) {
    self.window = window
    self.servers = servers
  }
}
