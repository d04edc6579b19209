public import CordonCore

/// A server's notice that the person had an exposure: on which day, and what to do. It never states with whom, where, or at what
/// time of the day.
///
/// The device's store keeps a notice until it expires, the person withdraws, or the device is erased.
public struct ExposureNotice: Hashable, Sendable, Identifiable {
  /// The state of a notice on the device.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// It arrived.
    case received
    /// The person acknowledged it.
    case acknowledged
    /// Its time is over; the device deletes it.
    case expired
  }

  /// The number of the notice on the server.
  public var id: Int64
  /// The name of the text: `exposure`, `test`, `quarantine`, `all-clear`, or one that a later server adds.
  public var template: String
  /// The day of the exposure, in UTC, such as `2026-01-05`.
  public var day: String
  /// What to do, in the words of the server's operator; empty for none.
  public var advice: String
  /// When the operator made it.
  public var created: Instant
  /// When it ends.
  public var expires: Instant
  /// When it arrived on the device.
  public var received: Instant
  /// When the person acknowledged it; `nil` before.
  public var acknowledged: Instant?
  /// Whether the server knows that the person acknowledged it.
  public var isAcknowledgementSent: Bool

  /// Makes a notice of its parts.
  public init(
    id: Int64, template: String, day: String, advice: String = "", created: Instant, expires: Instant,
    received: Instant = .epoch, acknowledged: Instant? = nil, isAcknowledgementSent: Bool = false
  ) {
    self.id = id
    self.template = template
    self.day = day
    self.advice = advice
    self.created = created
    self.expires = expires
    self.received = received
    self.acknowledged = acknowledged
    self.isAcknowledgementSent = isAcknowledgementSent
  }

  /// The status at a time.
  public func status(at time: Instant) -> Status {
    if time >= expires { return .expired }
    return acknowledged == nil ? .received : .acknowledged
  }

  /// The built-in sentence of the template, without the day and the advice.
  /// - Parameter language: `de` for German; every other language gets English.
  public func text(in language: String = "en") -> String {
    let isGerman = language.lowercased().hasPrefix("de")
    return switch template {
    case "test":
      isGerman
        ? "Sie hatten möglicherweise eine Exposition. Bitte lassen Sie sich testen."
        : "You may have been exposed. Please take a test."
    case "quarantine":
      isGerman
        ? "Sie hatten möglicherweise eine Exposition. Bitte bleiben Sie zu Hause."
        : "You may have been exposed. Please stay at home."
    case "all-clear":
      isGerman
        ? "Die frühere Mitteilung gilt nicht mehr: Es gab keine Exposition."
        : "The earlier notice no longer applies: there was no exposure."
    default:
      isGerman ? "Sie hatten möglicherweise eine Exposition." : "You may have been exposed."
    }
  }
}
