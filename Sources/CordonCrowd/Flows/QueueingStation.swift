/// The queue and the servers of a service point: who is served next, when and by which server.
///
/// The station knows neither places nor bodies. The movement models report arrivals and ends of service, and ask for the
/// next customer; `serve(_:)` does the same for arrivals that are known beforehand. Times are milliseconds since 1970 and
/// never decrease from one call to the next.
///
/// Among the free servers, the one that has been free for the longest time serves the next customer. A server whose
/// hours end completes the service that it began.
package struct QueueingStation: Sendable {
  /// The order in which waiting customers are served.
  package enum Order: String, Hashable, Sendable, CaseIterable {
    /// By time of arrival in the queue.
    case arrival
    /// By the time of the appointment; customers without one count from their arrival in the queue.
    case appointment
  }

  /// A customer whose service begins.
  package struct Call: Hashable, Sendable {
    /// The number of the customer.
    package var customer: Int
    /// The index of the server.
    package var server: Int
    /// The time spent in the queue, in milliseconds.
    package var waited: Int64
  }

  private struct Server: Sendable {
    var hours: ServerHours
    var customer: Int?
    var freeSince = Int64.min
  }

  private var servers: [Server]
  private var queue: WaitingLine
  /// The counts of the queue since the station was made.
  package private(set) var record = QueueRecord()

  /// Creates a station without customers.
  /// - Parameters:
  ///   - servers: the working hours of each server.
  ///   - order: the order of service.
  package init(servers: [ServerHours], order: Order = .arrival) {
    self.servers = servers.map { Server(hours: $0) }
    queue = WaitingLine(order: order)
  }

  /// The customers in the queue, in the order in which they will be served if nobody else arrives.
  package var waiting: [Int] { queue.customers }

  /// Returns the number of customers who will be served before a customer; `nil` for customers outside the queue.
  package func position(of customer: Int) -> Int? { queue.position(of: customer) }

  /// The number of customers in the queue.
  package var waitingCount: Int { queue.count }

  /// The customers who are being served, by index of the server.
  package var served: [Int] { servers.compactMap(\.customer) }

  /// Returns the server that serves a customer; `nil` for customers who are not being served.
  package func server(of customer: Int) -> Int? { servers.firstIndex { $0.customer == customer } }

  /// Returns the server that would serve the next customer at a time; `nil` if all are busy or absent.
  package func freeServer(at time: Int64) -> Int? {
    var best: Int?
    for (index, server) in servers.enumerated() where server.customer == nil && server.hours.contains(time) {
      guard let known = best, servers[known].freeSince <= server.freeSince else {
        best = index
        continue
      }
    }
    return best
  }

  /// Checks whether a server works at a time or later, apart from services that have begun.
  package func opens(from time: Int64) -> Bool { servers.contains { $0.hours.opens(from: time) } }

  /// Returns the next time after `time` at which a server begins work; `nil` if there is none.
  package func nextOpening(after time: Int64) -> Int64? {
    servers.compactMap { $0.hours.nextOpening(after: time) }.min()
  }

  /// Adds a customer to the queue.
  /// - Parameters:
  ///   - customer: the number of the customer.
  ///   - time: the time of arrival in the queue.
  ///   - appointment: the time of the customer's appointment; `nil` for customers without one.
  package mutating func join(_ customer: Int, at time: Int64, appointment: Int64? = nil) {
    record.advance(to: time, waiting: queue.count, busy: busy)
    queue.add(customer, at: time, appointment: appointment)
    record.join(waiting: queue.count)
  }

  /// Begins the next service; returns `nil` if no customer waits or no server is free.
  package mutating func callNext(at time: Int64) -> Call? {
    guard queue.count > 0, let server = freeServer(at: time) else { return nil }
    record.advance(to: time, waiting: queue.count, busy: busy)
    guard let next = queue.removeFirst() else { return nil }
    servers[server].customer = next.customer
    record.begin(waited: time - next.since)
    return Call(customer: next.customer, server: server, waited: time - next.since)
  }

  /// Ends the service of a customer, and returns the server that is free now; `nil` if the customer is not being served.
  @discardableResult
  package mutating func complete(_ customer: Int, at time: Int64) -> Int? {
    guard let server = server(of: customer) else { return nil }
    record.advance(to: time, waiting: queue.count, busy: busy)
    servers[server].customer = nil
    servers[server].freeSince = time
    record.completed += 1
    return server
  }

  /// Removes a customer from the queue, and returns whether the customer was in it.
  @discardableResult
  package mutating func withdraw(_ customer: Int, at time: Int64) -> Bool {
    record.advance(to: time, waiting: queue.count, busy: busy)
    guard queue.remove(customer) else { return false }
    record.withdrawn += 1
    return true
  }

  private var busy: Int { servers.count { $0.customer != nil } }
}
