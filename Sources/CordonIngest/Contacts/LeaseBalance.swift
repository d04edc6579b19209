package import CordonCore

/// Decides when a server gives the lease of a venue to another server, because the venue's rows come to other servers only.
///
/// A proxy that sends all rows of a venue to one server thus moves the contacts of the venue there, where they cost least. Rows that
/// are spread over the servers leave every lease where it is.
package struct LeaseBalance: Hashable, Sendable {
  private struct Times: Hashable, Sendable {
    /// When rows last came to this server, or the lease did.
    var own: Instant
    /// When rows were last found that came to another server, or came late.
    var others: Instant?
  }

  private var times: [Int64: Times] = [:]

  /// For how long rows of a venue may come to other servers only, before the server that has the lease gives it back.
  package static let patience = TimeSpan.seconds(30)

  /// No leases.
  package init() {}

  /// Notes that this server has the lease of a venue.
  package mutating func begin(_ venue: Int64, at now: Instant) { times[venue] = Times(own: now) }

  /// Notes that it has it no longer.
  package mutating func end(_ venue: Int64) { times[venue] = nil }

  /// Notes that rows of a venue came to this server.
  package mutating func rowsCame(of venue: Int64, at now: Instant) { times[venue]?.own = now }

  /// Notes that rows of a venue were found that came to another server.
  package mutating func rowsCameElsewhere(of venue: Int64, at now: Instant) { times[venue]?.others = now }

  /// The venues whose lease another server should have, in order.
  package var misplaced: [Int64] {
    times.filter { _, times in times.others.map { $0 - times.own >= Self.patience } ?? false }.keys.sorted()
  }
}
