#if CORDON_BUGS
  /// Mistakes that can be turned on one at a time, to see whether the fault test finds them. They exist only in builds with the flag
  /// `CORDON_BUGS`, which no product has.
  package enum DeliberateBug: String, CaseIterable, Sendable {
    case deleteBeforeAcknowledge = "delete-before-acknowledge"
    case forgetLease = "forget-the-lease-at-relaunch"
    case takeSuccess = "take-207-for-success"
    case floorZero = "floor-0-for-unknown"
    case keepCollecting = "keep-collecting-after-withdrawal"
    case stampArrival = "stamp-arrival-time"
    case ignoreHoles = "ignore-holes-in-the-venue"
    case twoTokenRequests = "two-token-requests-at-expiry"
    case onlyTimerFlushes = "a-timer-that-is-the-only-flush"
    case randomIdentity = "id-from-a-random-number"
    case resurrectErased = "an-erased-device-resurrected-by-a-late-batch"
    case quarantineLosesRow = "quarantine-that-loses-its-row"
    case acknowledgeBeforeCommit = "acknowledge-before-commit-on-the-server"
    case badRowFailsBatch = "one-bad-row-fails-its-batch"
    case secureDeleteOff = "secure-delete-off"
    case ignorePause = "ignore-a-pause"
    case keepOldBundle = "keep-the-old-bundle-of-a-venue"
    case stretchStay = "a-stay-over-hours-that-nobody-watched"
    case loseStayEnd = "the-end-of-a-stay-lost-by-the-server"
    case refuseGoodRows = "good-rows-refused-by-the-server"
    case lastWriterWins = "last-writer-wins"
    case restoreWithoutTombstones = "restore-without-tombstones"
    case trustAny410 = "trust-any-410"

    /// The one that is on. Set before anything runs, and never again.
    nonisolated(unsafe) package static var active: DeliberateBug?

    /// A server's commit that was put off.
    nonisolated(unsafe) package static var isCommitOwed = false

    /// Whether it is on.
    package var isActive: Bool { DeliberateBug.active == self }

    /// Numbers that follow from nothing but how many there were before.
    nonisolated(unsafe) private static var counter: UInt64 = 0

    /// The next of them.
    package static func nextNumber() -> UInt64 {
      counter &+= 0x9e37_79b9_7f4a_7c15
      return counter
    }
  }
#endif
