#if CORDON_BUGS
  /// Defects that can be enabled one at a time, to show that the fault test finds them. They exist only in builds
  /// with the flag `CORDON_BUGS`, which no product has.
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

    /// The enabled defect. Set once, before anything else runs.
    nonisolated(unsafe) package static var active: DeliberateBug?

    /// Whether the server has postponed a commit.
    nonisolated(unsafe) package static var isCommitOwed = false

    /// Whether this defect is enabled.
    package var isActive: Bool { DeliberateBug.active == self }

    /// The number of calls of ``nextNumber()``.
    nonisolated(unsafe) private static var counter: UInt64 = 0

    /// Returns the next number of a sequence that depends only on the number of calls.
    package static func nextNumber() -> UInt64 {
      counter &+= 0x9e37_79b9_7f4a_7c15
      return counter
    }
  }
#endif
