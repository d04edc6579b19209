public import CordonCore

/// What a person agreed to, and when. Never assumed: without one nothing is monitored.
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

  /// The version of the text that the person read, as the integrator names it.
  public var version: String
  /// What they agreed to.
  public var purposes: Purposes
  /// When they did.
  public var time: Instant

  /// A consent that was given.
  public init(version: String, purposes: Purposes = [.record, .share], time: Instant) {
    self.version = version
    self.purposes = purposes
    self.time = time
  }
}
