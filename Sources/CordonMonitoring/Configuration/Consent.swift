public import CordonCore

/// A person's consent, purpose by purpose: the text and the time. Never assumed: without consent nothing is
/// monitored.
public struct Consent: Hashable, Sendable, Codable {
  /// The permitted uses of recorded locations.
  public struct Purposes: OptionSet, Hashable, Sendable, Codable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Recording on the device.
    public static let record = Purposes(rawValue: 1)
    /// Sending what was recorded to the sinks.
    public static let share = Purposes(rawValue: 2)
    /// Recording outside of venues too, see ``MonitorConfiguration/everywhere``. It extends ``record``, and has no
    /// effect without it.
    public static let everywhere = Purposes(rawValue: 4)
  }

  /// The agreement to one purpose.
  public struct Grant: Hashable, Sendable, Codable {
    /// The version of the text that the person read, as the integrator names it.
    public var version: String
    /// The time at which the person agreed.
    public var time: Instant

    /// An agreement.
    public init(version: String, time: Instant) {
      self.version = version
      self.time = time
    }
  }

  /// The agreement to recording, if there is one.
  public var record: Grant?
  /// The agreement to sending, if there is one.
  public var share: Grant?
  /// The agreement to recording outside of venues, if there is one.
  public var everywhere: Grant?

  /// An agreement to one text.
  public init(version: String, purposes: Purposes = [.record, .share], time: Instant) {
    let grant = Grant(version: version, time: time)
    if purposes.contains(.record) { record = grant }
    if purposes.contains(.share) { share = grant }
    if purposes.contains(.everywhere) { everywhere = grant }
  }

  /// Agreements to purposes, each to its own text.
  public init(record: Grant?, share: Grant?, everywhere: Grant? = nil) {
    self.record = record
    self.share = share
    self.everywhere = everywhere
  }

  /// The purposes that the person agreed to.
  public var purposes: Purposes {
    var purposes: Purposes = []
    if record != nil { purposes.insert(.record) }
    if share != nil { purposes.insert(.share) }
    if everywhere != nil { purposes.insert(.everywhere) }
    return purposes
  }

  /// The version of the latest text about venues that the person agreed to; empty without an agreement.
  public var version: String { latest?.version ?? "" }
  /// The time of the latest agreement.
  public var time: Instant { latest?.time ?? .epoch }

  private var latest: Grant? {
    guard let record, let share else { return record ?? share ?? everywhere }
    return share.time >= record.time ? share : record
  }

  /// Adds later agreements; purposes that they do not name keep their agreement.
  public mutating func add(_ other: Consent) {
    record = other.record ?? record
    share = other.share ?? share
    everywhere = other.everywhere ?? everywhere
  }
}
