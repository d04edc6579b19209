package import CordonCore
internal import CordonWire

/// A device as the server knows it.
package struct StoredDevice: Hashable, Sendable {
  /// By which interface it was activated, and so which it may use.
  package enum Kind: Int64, Hashable, Sendable {
    /// /v1, Overland, OwnTracks: it has a secret.
    case secret = 0
    /// The published API, which knows no secret.
    case published = 1
  }

  /// The number that stands for it in the file; 0 before it is saved.
  package var number: Int64 = 0
  /// Its name.
  package var id: DeviceID
  /// By which interface it was activated.
  package var kind: Kind
  /// Its venue.
  package var venue: VenueID
  /// Its type, as it reported it.
  package var type: String
  /// SHA-256 of its secret.
  package var secretHash: [UInt8]?
  /// The secret itself, until it is used for the first time: a device can request a lost answer again.
  package var pendingSecret: String?
  /// SHA-256 of the secret that it had before an administrator set it free: good for an erasure, and for nothing else.
  package var formerHash: [UInt8]?
  /// SHA-256 of the invite code that it came with.
  package var codeHash: [UInt8]?
  /// Counts revocations; tokens carry it.
  package var generation: Int64 = 0
  /// When it was activated.
  package var created: Instant
  /// When it last sent rows, asked for a token or sent a consent; to the minute for rows, to the day for tokens.
  package var lastSeen: Instant
  /// Whether the last consent of the device allows its rows to be kept. A device with a secret that never sent one may not;
  /// a row of the published API carries its consent itself.
  package var mayRecord: Bool
  /// Since when it is its present holder's, where an administrator set it free before: what is older is not theirs to see.
  package var heldSince: Instant?

  /// A device that is not saved yet.
  package init(id: DeviceID, kind: Kind, venue: VenueID, type: String, created: Instant) {
    self.id = id
    self.kind = kind
    self.venue = venue
    self.type = type
    self.created = created
    lastSeen = created
    mayRecord = kind == .published
  }
}

extension StoredDevice {
  /// Whether a span of milliseconds ends before the present holder's time: it is a former one's.
  func isOfFormerHolder(_ span: ClosedRange<Int64>) -> Bool {
    heldSince.map { span.upperBound < $0.milliseconds } ?? false
  }

  /// The part of a span that belongs to one holder: to a former one if it ends before the present one's time, else to that one.
  func ofOneHolder(_ span: ClosedRange<Int64>) -> ClosedRange<Int64> {
    guard let since = heldSince?.milliseconds, !isOfFormerHolder(span) else { return span }
    return max(span.lowerBound, since)...span.upperBound
  }
}

/// An invite code as it is kept: never the code itself.
package struct StoredInvite: Hashable, Sendable {
  /// The number that stands for it.
  package var number: Int64 = 0
  /// SHA-256 of the code.
  package var hash: [UInt8]
  /// Its first characters, so that people can distinguish codes.
  package var hint: String
  /// The kind of device that it activates.
  package var kind: StoredDevice.Kind
  /// The venue it is for.
  package var venue: VenueID
  /// How often it was used.
  package var uses: Int64 = 0
  /// How often it may be used.
  package var maximumUses: Int64
  /// When it ends; `nil` for never.
  package var expires: Instant?
  /// When it was made.
  package var created: Instant
  /// The pseudonym of its creator.
  package var creator: String

  /// Takes the values as they are.
  package init(
    number: Int64 = 0, hash: [UInt8], hint: String, kind: StoredDevice.Kind, venue: VenueID, uses: Int64 = 0,
    maximumUses: Int64, expires: Instant? = nil, created: Instant, creator: String
  ) {
    self.number = number
    self.hash = hash
    self.hint = hint
    self.kind = kind
    self.venue = venue
    self.uses = uses
    self.maximumUses = maximumUses
    self.expires = expires
    self.created = created
    self.creator = creator
  }

  /// Whether it can be used.
  package func isUsable(at now: Instant) -> Bool { uses < maximumUses && (expires.map { now < $0 } ?? true) }
}

/// A consent as the device sent it.
package struct StoredConsent: Hashable, Sendable {
  /// When it was given, by the device's clock.
  package var time: Instant
  /// The version of the text.
  package var version: String
  /// What for.
  package var purposes: [String]
  /// When the server heard of it.
  package var received: Instant

  /// Takes the values as they are.
  package init(
    time: Instant, version: String, purposes: [String], received: Instant
  ) {
    self.time = time
    self.version = version
    self.purposes = purposes
    self.received = received
  }

  /// Whether rows may be kept here: they were recorded, and are shared.
  var allowsRows: Bool { DeviceMessages.Consent.allPurposes.allSatisfy(purposes.contains) }

  /// Whether it was taken back already: it may have been on its way for long. A clock that was ahead when it was taken
  /// back does not count: what was heard of by then was said by then.
  func isOver(_ known: [StoredConsent], heldSince: Instant?) -> Bool {
    known.contains { former in
      !former.allowsRows && former.received >= heldSince ?? .epoch && min(former.time, former.received) > time
    }
  }
}

/// The remains of an erased device: hashes under a key, and a receipt.
package struct Tombstone: Hashable, Sendable {
  /// Of the device's name.
  package var hash: [UInt8]
  /// Of its name and secret, so that the device can ask for its receipt again.
  package var proof: [UInt8]?
  /// When it was erased.
  package var time: Instant
  /// How many positions went.
  package var locations: Int64

  /// Takes the values as they are.
  package init(
    hash: [UInt8], proof: [UInt8]? = nil, time: Instant, locations: Int64
  ) {
    self.hash = hash
    self.proof = proof
    self.time = time
    self.locations = locations
  }
}

/// Somebody looked.
package struct AuditEntry: Hashable, Sendable {
  /// Accesses to all devices of a venue at once: they need a reason, and each device can see them.
  package static let actionsOnMany = ["list devices", "list contacts"]

  /// Requests that pages repeat: accesses of one operator within an hour are one entry with a count.
  static let polledActions = ["occupancy", "overview", "plan", "quality", "alerts"]

  /// Counts on.
  package var number: Int64 = 0
  /// When; of several accesses, the first one.
  package var time: Instant
  /// How many accesses it stands for.
  package var count: Int64 = 1
  /// When the last of them was.
  package var last: Instant
  /// Who, by pseudonym.
  package var `operator`: String
  /// As what.
  package var role: String
  /// The action.
  package var action: String
  /// About which venue.
  package var venue: String?
  /// About which device, by number; `nil` when about none, or about one that was erased since.
  package var device: Int64?
  /// Why, in the operator's words.
  package var reason: String

  /// An access of an operator.
  package init(
    time: Instant, operator: String, role: String, action: String, venue: String?, device: Int64?, reason: String
  ) {
    self.time = time
    last = time
    self.operator = `operator`
    self.role = role
    self.action = action
    self.venue = venue
    self.device = device
    self.reason = reason
  }
}

/// A position as it is kept.
package struct StoredPosition: Hashable, Sendable {
  /// The device's number.
  package var device: Int64
  /// Which fix.
  package var id: FixID
  /// Where, degrees times 1e7.
  package var longitude: Int32
  /// Where, degrees times 1e7.
  package var latitude: Int32
  /// Radius at 68 %, millimetres.
  package var accuracy: Int64
  /// Thousandths of an ordinal; `nil` when not known.
  package var floor: Int32?
  /// Until when it rested there.
  package var stillUntil: Int64?
  /// The venue's number.
  package var venue: Int64
  /// The space's number.
  package var space: Int64?
  /// The charge of the device's battery, per cent; `nil` unless the server is configured to keep it.
  package var battery: Int64?

  /// Takes the values as they are.
  package init(
    device: Int64, id: FixID, longitude: Int32, latitude: Int32, accuracy: Int64, floor: Int32? = nil,
    stillUntil: Int64? = nil, venue: Int64, space: Int64? = nil, battery: Int64? = nil
  ) {
    self.device = device
    self.id = id
    self.longitude = longitude
    self.latitude = latitude
    self.accuracy = accuracy
    self.floor = floor
    self.stillUntil = stillUntil
    self.venue = venue
    self.space = space
    self.battery = battery
  }

  /// When, milliseconds since 1970.
  package var time: Int64 { id.time.milliseconds }
  /// Where.
  package var coordinate: Coordinate {
    Coordinate(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7)
  }
}
