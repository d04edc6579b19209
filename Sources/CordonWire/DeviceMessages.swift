package import CordonCore
package import CordonSupport

/// A JSON body that one side writes and the other side reads.
package protocol DeviceMessage: Hashable, Sendable {
  /// Reads the message.
  init(_ members: JSONMembers) throws(WireError)
  /// The message as JSON.
  var json: JSONValue { get }
}

extension DeviceMessage {
  /// Reads the body of a request or an answer.
  package init(decoding body: [UInt8]) throws(WireError) { try self.init(JSONMembers(body)) }

  /// Writes the body of a request or an answer.
  package func encoded() -> [UInt8] { Array(json.text().utf8) }
}

/// The short messages of /v1. Device and server write and read them with the same types.
package enum DeviceMessages {
  /// The longest secret, in bytes.
  private static let secretLimit = 128
  /// Times from 1970 to 2100, in milliseconds.
  package static let times: ClosedRange<Int64> = 0...4_102_444_800_000

  /// `POST /v1/devices/{device}/activate`
  package struct Activation: DeviceMessage {
    /// The invite code.
    package var code: String
    /// The type of the device, for operators; empty if the device does not say.
    package var type: String
    /// The secret that the device has already, to move to another venue.
    package var secret: String?

    package init(code: String, type: String, secret: String? = nil) {
      self.code = code
      self.type = type
      self.secret = secret
    }

    package init(_ members: JSONMembers) throws(WireError) {
      code = try members.text("code", atMost: 64)
      type = try members.optionalText("type", atMost: 64) ?? ""
      secret = try members.optionalText("secret", atMost: secretLimit)
    }

    package var json: JSONValue {
      var members: [JSONValue.Member] = [.init("code", .string(code)), .init("type", .string(type))]
      if let secret { members.append(.init("secret", .string(secret))) }
      return .object(members)
    }
  }

  /// The answer to an activation.
  package struct Activated: DeviceMessage {
    /// The secret by which the device gets tokens.
    package var secret: String
    /// The venue of the invite code.
    package var venue: VenueID?

    package init(secret: String, venue: VenueID?) {
      self.secret = secret
      self.venue = venue
    }

    package init(_ members: JSONMembers) throws(WireError) {
      secret = try members.text("secret", atMost: 4_096)
      venue = nil
      if let name = try members.optionalText("venue") {
        guard let known = VenueID(name) else { throw JSONMembers.fault("venue", "not the name of a venue") }
        venue = known
      }
    }

    package var json: JSONValue {
      var members: [JSONValue.Member] = [.init("secret", .string(secret))]
      if let venue { members.append(.init("venue", .string(venue.rawValue))) }
      return .object(members)
    }
  }

  /// `POST /v1/devices/{device}/token`, and `DELETE /v1/devices/{device}` by a device.
  package struct Proof: DeviceMessage {
    /// The secret of the device.
    package var secret: String

    package init(secret: String) { self.secret = secret }

    package init(_ members: JSONMembers) throws(WireError) {
      secret = try members.text("secret", atMost: secretLimit)
    }

    package var json: JSONValue { ["secret": .string(secret)] }
  }

  /// The answer to a request for a token.
  package struct Token: DeviceMessage {
    /// The token, for the header `Authorization`.
    package var token: String
    /// When the token expires.
    package var expires: Instant

    package init(token: String, expires: Instant) {
      self.token = token
      self.expires = expires
    }

    package init(_ members: JSONMembers) throws(WireError) {
      token = try members.text("token", atMost: 1 << 14)
      expires = Instant(milliseconds: try members.number("expires"))
    }

    package var json: JSONValue { ["token": .string(token), "expires": .integer(expires.milliseconds)] }
  }

  /// `PUT /v1/devices/{device}/consent`: the agreement of the person, for the server's records.
  package struct Consent: DeviceMessage {
    /// Everything that can be agreed to: recording on the phone, and sending the recorded positions.
    package static let allPurposes = ["record", "share"]

    /// The version of the text.
    package var version: String
    /// The purposes that the person agreed to; of ``allPurposes``.
    package var purposes: [String]
    /// When the person agreed.
    package var time: Instant
    /// The agreement to each purpose, where the person agreed to several texts.
    package var grants: [String: Grant]?

    /// The agreement to one purpose.
    package struct Grant: Hashable, Sendable {
      /// The version of the text.
      package var version: String
      /// When the person agreed.
      package var time: Instant

      package init(version: String, time: Instant) {
        self.version = version
        self.time = time
      }
    }

    package init(version: String, purposes: [String], time: Instant, grants: [String: Grant]? = nil) {
      self.version = version
      self.purposes = purposes
      self.time = time
      self.grants = grants
    }

    package init(_ members: JSONMembers) throws(WireError) {
      purposes = try members.list("purposes")
      guard purposes.count <= 8, purposes.allSatisfy(Consent.allPurposes.contains) else {
        throw JSONMembers.fault("purposes", "of record and share")
      }
      time = Instant(milliseconds: try members.number("time", in: times))
      version = try members.text("version", atMost: 256)
      // The server records the agreement as a whole: details that it cannot read are ignored.
      grants = members.objects("grants")?.compactMapValues { grant in
        guard let version = try? grant.text("version", atMost: 256), let time = try? grant.number("time", in: times)
        else {
          return nil
        }
        return Grant(version: version, time: Instant(milliseconds: time))
      }
    }

    package var json: JSONValue {
      var members: [JSONValue.Member] = []
      if let grants {
        let list = grants.sorted { $0.key < $1.key }.map { name, grant in
          JSONValue.Member(
            name, ["time": .integer(grant.time.milliseconds), "version": .string(grant.version)])
        }
        members.append(.init("grants", .object(list)))
      }
      members += [
        .init("purposes", .array(purposes.map(JSONValue.string))), .init("time", .integer(time.milliseconds)),
        .init("version", .string(version)),
      ]
      return .object(members)
    }
  }

  /// The answer to an erasure.
  package struct Receipt: DeviceMessage {
    /// The erased device.
    package var device: DeviceID
    /// When it was erased.
    package var erased: Instant
    /// The number of erased locations.
    package var locations: Int64

    package init(device: DeviceID, erased: Instant, locations: Int64) {
      self.device = device
      self.erased = erased
      self.locations = locations
    }

    package init(_ members: JSONMembers) throws(WireError) {
      guard let device = DeviceID(try members.text("device")) else {
        throw JSONMembers.fault("device", "not the name of a device")
      }
      self.device = device
      erased = Instant(milliseconds: try members.number("erased"))
      // A server may leave the count out: the confirmation does not depend on it.
      locations = try members.optionalNumber("locations", in: 0 ... .max) ?? 0
    }

    package var json: JSONValue {
      [
        "device": .string(device.rawValue), "erased": .integer(erased.milliseconds), "locations": .integer(locations),
      ]
    }
  }
}
