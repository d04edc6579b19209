package import CordonCore

/// The agreement of servers that write to the same store.
///
/// The live contacts of a venue belong to one server, which holds a lease on it. The others only store its rows, and note them as
/// late; the holder finds their contacts. Every method belongs to the thread of the store.
package protocol SharedStore: ErasureNotes {
  /// Starts a request that reads, decides and writes: no other server handles one until ``endAlone()``. Does not throw: without a
  /// connection the calls of the store throw until then.
  func beginAlone()
  /// Ends what ``beginAlone()`` started.
  func endAlone()

  /// Takes free leases, and reports that this server lives. To be called about once a second, outside of transactions.
  func tend() throws(StoreFault)
  /// Gives all leases back, so that other servers take them at once. To be called when the server stops.
  func leave()
  /// Gives the lease of one venue back, so that another server takes it. This one does not take it for some seconds. To be called
  /// outside of transactions.
  func giveBack(_ venue: Int64) throws(StoreFault)
  /// Whether this server does the work that one of them does for all: retention, and counts for viewers.
  var isMaintainer: Bool { get }
  /// The lease on the contacts of a venue; `nil` when another server holds it. Within a transaction it holds until the end: another
  /// server that takes it waits for that.
  func lease(of venue: Int64) throws(StoreFault) -> VenueLease?

  /// Deletes records of this server's log of decisions that are too old. Retention does that where this server does the maintenance.
  func expireLog(_ limits: RetentionLimits) throws(StoreFault)

  /// Reads at once what a group of batches needs one after the other: devices, keys that were used, and counts of an hour. Belongs at
  /// the start of their transaction.
  /// - Parameters:
  ///   - batches: the device of each batch, and its key.
  ///   - hour: hours since 1970.
  func expect(_ batches: [(device: DeviceID, key: [UInt8]?)], hour: Int64) throws(StoreFault)
  /// Counts rows of a device in an hour, in the transaction that stores them.
  /// - Parameters:
  ///   - hour: hours since 1970.
  ///   - limit: the maximum number of rows in the hour.
  /// - Returns: `false`, and counts nothing, when there were too many.
  func count(_ rows: Int, of device: Int64, hour: Int64, limit: Int) throws(StoreFault) -> Bool
  /// Replaces the outlines of the spaces of a venue. Belongs into a transaction.
  func describe(venue number: Int64, spaces: [SpaceOutline]) throws(StoreFault)
  /// Codes and keys of persons' pages, which all servers have in common.
  var pageCodes: any PageCodeStore { get }
  /// Counts of failed attempts, which all servers have in common.
  var failures: any FailureStore { get }
  /// Notes when a device was last heard of, and leaves the rest of it as it is.
  func touch(device number: Int64, at milliseconds: Int64) throws(StoreFault)
}

/// A lease on the contacts of a venue. Positions that were kept in memory under another one are out of date.
package struct VenueLease: Hashable, Sendable {
  /// Counts the holders of the lease.
  package var epoch: Int64
  /// Counts the erasures that concerned the venue.
  package var revision: Int64

  /// Takes the values as they are.
  package init(epoch: Int64, revision: Int64) {
    self.epoch = epoch
    self.revision = revision
  }
}

/// A reason to look at the store at once, from another server.
package enum StoreHint: Hashable, Sendable {
  /// There are rows whose contacts the holder of their venue's lease finds.
  case lateRows
  /// There are leases to take, or anything else may have happened.
  case leases
}

/// Messages between servers that write to the same store. They are hints: one that is lost delays something, and changes nothing.
package protocol StoreHints: Sendable {
  /// Sends what happened to the servers whose watchers want to know.
  func send(_ events: [LiveEvent])
  /// Ends.
  func stop()
}
