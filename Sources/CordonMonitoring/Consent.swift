public import CordonCore

/// What a person agreed to, purpose by purpose: which text, and when. Never assumed: without one nothing is monitored.
public struct Consent: Hashable, Sendable, Codable {
  /// What recorded locations may be used for.
  public struct Purposes: OptionSet, Hashable, Sendable, Codable {
    /// The bits.
    public let rawValue: UInt8

    /// Takes the bits as they are.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Recording on the device.
    public static let record = Purposes(rawValue: 1)
    /// Sending what was recorded to the sinks.
    public static let share = Purposes(rawValue: 2)
  }

  /// The agreement to one purpose.
  public struct Grant: Hashable, Sendable, Codable {
    /// The version of the text that the person read, as the integrator names it.
    public var version: String
    /// When they agreed.
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

  /// An agreement to one text.
  public init(version: String, purposes: Purposes = [.record, .share], time: Instant) {
    let grant = Grant(version: version, time: time)
    if purposes.contains(.record) { record = grant }
    if purposes.contains(.share) { share = grant }
  }

  /// Agreements to purposes, each to its own text.
  public init(record: Grant?, share: Grant?) {
    self.record = record
    self.share = share
  }

  /// What they agreed to.
  public var purposes: Purposes {
    var purposes: Purposes = []
    if record != nil { purposes.insert(.record) }
    if share != nil { purposes.insert(.share) }
    return purposes
  }

  /// The version of the text that was agreed to last; empty when there is no agreement.
  public var version: String { latest?.version ?? "" }
  /// When something was last agreed to.
  public var time: Instant { latest?.time ?? .epoch }

  private var latest: Grant? {
    guard let record, let share else { return record ?? share }
    return share.time >= record.time ? share : record
  }

  /// Adds later agreements; a purpose that they do not name keeps what it has.
  public mutating func add(_ other: Consent) {
    record = other.record ?? record
    share = other.share ?? share
  }
}
