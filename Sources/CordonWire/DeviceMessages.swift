public import CordonCore

/// The short messages of /v1: what is answered to activation and to a request for a token, and the consent that is told.
public enum DeviceMessages {
  /// The answer to an activation.
  public struct Activated: Hashable, Sendable, Codable {
    /// What tokens are had for. It is given once for each device.
    public var secret: String
    /// The venue that the code was for.
    public var venue: VenueID?

    /// An answer.
    public init(secret: String, venue: VenueID?) {
      self.secret = secret
      self.venue = venue
    }
  }

  /// The answer to a request for a token.
  public struct Token: Hashable, Sendable, Codable {
    /// The bearer token.
    public var token: String
    /// When it ends, milliseconds since 1970.
    public var expires: Instant

    /// An answer.
    public init(token: String, expires: Instant) {
      self.token = token
      self.expires = expires
    }
  }

  /// `PUT /v1/devices/{device}/consent`: what the person agreed to, for the server's records.
  public struct Consent: Hashable, Sendable, Codable {
    /// The version of the text.
    public var version: String
    /// `record`, `share`.
    public var purposes: [String]
    /// When, milliseconds since 1970.
    public var time: Instant
    /// The agreement to each purpose, where they are not all to one text; a purpose that is missing is not agreed to.
    public var grants: [String: Grant]?

    /// The agreement to one purpose.
    public struct Grant: Hashable, Sendable, Codable {
      /// The version of the text.
      public var version: String
      /// When, milliseconds since 1970.
      public var time: Instant

      /// An agreement.
      public init(version: String, time: Instant) {
        self.version = version
        self.time = time
      }
    }

    /// A record.
    public init(version: String, purposes: [String], time: Instant, grants: [String: Grant]? = nil) {
      self.version = version
      self.purposes = purposes
      self.time = time
      self.grants = grants
    }
  }

  /// The answer to an erasure: the receipt.
  public struct Receipt: Hashable, Sendable, Codable {
    /// The device that is no more.
    public var device: DeviceID
    /// When it was erased, milliseconds since 1970.
    public var erased: Instant
    /// How many locations went.
    public var locations: Int

    /// A receipt.
    public init(device: DeviceID, erased: Instant, locations: Int) {
      self.device = device
      self.erased = erased
      self.locations = locations
    }
  }
}
