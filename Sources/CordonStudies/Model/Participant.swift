package import CordonCore
package import CordonPresence

/// A participant of a study under a pseudonym. Name and addresses lie in the ``IdentityVault`` alone.
package struct Participant: Hashable, Sendable {
  /// The pseudonym.
  package var id: ParticipantID
  /// The study.
  package var study: StudyCode
  /// The account in the study's ledger: random, so that a ledger without this row names nobody.
  package var account: String
  /// The SHA-256 of the key with which the participant's phone or browser signs in.
  package var keyHash: String
  /// The time of enrolment.
  package var enrolled: Instant
  /// The version of the consent text that the participant agreed to.
  package var consent: Int
  /// The time from UTC to the local clock at enrolment, positive to the east.
  package var offset: TimeSpan
  /// The language of messages.
  package var language: String
  /// The shortest time between two reminders that the participant chose; `nil` for that of the study.
  package var reminderInterval: TimeSpan?
  /// When the participant left; `nil` before.
  package var left: Instant?

  /// Creates a participant.
  package init(
    id: ParticipantID, study: StudyCode, account: String, keyHash: String, enrolled: Instant, consent: Int,
    offset: TimeSpan = .zero, language: String = "en"
  ) {
    self.id = id
    self.study = study
    self.account = account
    self.keyHash = keyHash
    self.enrolled = enrolled
    self.consent = consent
    self.offset = offset
    self.language = language
  }
}

/// A code that admits participants to a study.
package struct Invitation: Hashable, Sendable {
  /// The SHA-256 of the code.
  package var hash: String
  /// The study.
  package var study: StudyCode
  /// The end of its validity.
  package var expires: Instant
  /// How many people it still admits.
  package var left: Int

  /// Creates an invitation.
  package init(hash: String, study: StudyCode, expires: Instant, left: Int) {
    self.hash = hash
    self.study = study
    self.expires = expires
    self.left = left
  }
}

/// Something that happened to a participant or their phone. Each has an identifier, so that a repeated upload adds nothing.
package struct StudyEvent: Hashable, Sendable {
  /// The kinds of events. There is one list for devices, tables and rewards; other names are refused.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The participant enrolled; the value is the version of the consent text.
    case enrolled = "ENROLLED"
    /// The participant agreed to a version of the consent text; the value is the version.
    case consentGiven = "CONSENT_GIVEN"
    /// A permission was given (1) or lost (0).
    case permissionsUpdate = "PERMISSIONS_UPDATE"
    /// The phone began to record.
    case trackingStarted = "TRACKING_STARTED"
    /// The phone stopped recording.
    case trackingStopped = "TRACKING_STOPPED"
    /// The participant paused.
    case paused = "PAUSED"
    /// The participant ended the pause.
    case resumed = "RESUMED"
    /// The clock of the participant changed; the value is the time from UTC in minutes, positive to the east.
    case offsetChanged = "OFFSET_CHANGED"
    /// The participant left the study.
    case left = "LEFT"

    /// Whether devices may send it; the others are made by the server.
    package var isFromDevice: Bool {
      [.permissionsUpdate, .trackingStarted, .trackingStopped, .paused, .resumed, .offsetChanged].contains(self)
    }
  }

  /// The permissions that a study needs of a phone.
  package enum Permission: String, Hashable, Sendable, CaseIterable, Comparable {
    case location
    case background
    case precise
    case motion
    case notifications

    /// The order of the list.
    package static func < (lhs: Permission, rhs: Permission) -> Bool { lhs.rank < rhs.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The identifier, a UUID that the sender made.
  package var id: FixID
  /// The participant.
  package var participant: ParticipantID
  /// When it happened.
  package var time: Instant
  /// When the server received it.
  package var received: Instant
  /// The kind.
  package var kind: Kind
  /// The permission of ``Kind/permissionsUpdate``; `nil` for other kinds.
  package var permission: Permission?
  /// The value, as the kind defines it.
  package var value: Int64?

  /// Creates an event.
  package init(
    id: FixID, participant: ParticipantID, time: Instant, received: Instant, kind: Kind, permission: Permission? = nil,
    value: Int64? = nil
  ) {
    self.id = id
    self.participant = participant
    self.time = time
    self.received = received
    self.kind = kind
    self.permission = permission
    self.value = value
  }

  /// The order in which events count: by their times, then by arrival, then by identifier.
  package static func isEarlier(_ lhs: StudyEvent, _ rhs: StudyEvent) -> Bool {
    (lhs.time, lhs.received, lhs.id) < (rhs.time, rhs.received, rhs.id)
  }
}

/// A position of a participant with what the phone knew about it.
package struct StudyLocation: Hashable, Sendable {
  /// The activity of a person.
  package enum Activity: String, Hashable, Sendable, CaseIterable {
    case still
    case onFoot = "on_foot"
    case walking
    case running
    case inVehicle = "in_vehicle"
    case onBicycle = "on_bicycle"
    case unknown
  }

  /// The usefulness of a position. No position is thrown away.
  package enum Quality: String, Hashable, Sendable, CaseIterable {
    /// A known accuracy radius of at most ``StudyLocation/goodAccuracy``.
    case good
    /// A larger radius.
    case coarse
    /// A radius that nobody knows.
    case unknown
    /// A position that an app or a simulator made.
    case mocked
  }

  /// The largest accuracy radius of a good position, in metres. A limit of 5 m would lose more than half of all indoor positions.
  package static let goodAccuracy = 50.0

  /// The identifier, a UUID that the phone made.
  package var id: FixID
  /// The participant.
  package var participant: ParticipantID
  /// When it was measured.
  package var time: Instant
  /// The position.
  package var coordinate: Coordinate
  /// The accuracy radius at 68 %, in metres; `nil` if it is unknown.
  package var accuracy: Double?
  /// The altitude above the ellipsoid, in metres; `nil` if it is unknown.
  package var altitude: Double?
  /// The activity.
  package var activity: Activity
  /// The charge of the battery, 0 ... 100; `nil` if it is unknown.
  package var battery: Int64?
  /// The distance since the start of recording by the phone's count, in metres; `nil` if it is unknown.
  package var odometer: Double?
  /// Whether an app or a simulator made the position.
  package var isMocked: Bool

  /// Creates a location.
  package init(
    id: FixID, participant: ParticipantID, time: Instant, coordinate: Coordinate, accuracy: Double? = nil,
    altitude: Double? = nil, activity: Activity = .unknown, battery: Int64? = nil, odometer: Double? = nil,
    isMocked: Bool = false
  ) {
    self.id = id
    self.participant = participant
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.altitude = altitude
    self.activity = activity
    self.battery = battery
    self.odometer = odometer
    self.isMocked = isMocked
  }

  /// The usefulness of the position.
  package var quality: Quality {
    if isMocked { return .mocked }
    guard let accuracy else { return .unknown }
    return accuracy <= Self.goodAccuracy ? .good : .coarse
  }

  /// The position for the computation of presence.
  package var fix: PresenceFix {
    PresenceFix(time: time.milliseconds, coordinate: coordinate, accuracy: accuracy)
  }
}
