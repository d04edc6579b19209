import CordonCore
import CordonGeometry

/// A tracking session: from entering the geofence to leaving it.
struct Session: Sendable {
  /// Fixes measured before this are stale.
  var start = Instant(milliseconds: .min)
  /// The last fix in the venue.
  var last: (time: Instant, point: PlanePoint, accuracy: Double)?
  var fastFixes = 0
  /// Consecutive fixes beyond the exit radius.
  var farFixes = 0
  /// Consecutive fixes out of the venue.
  var outsideFixes = 0
}

/// The last few fixes, to detect one that is delivered twice.
struct RecentFixes: Sendable {
  private var keys: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
  private var next = 0

  /// Returns whether the fix was seen before, and remembers it.
  mutating func seen(_ fix: Fix) -> Bool {
    var key = UInt64(bitPattern: fix.time.milliseconds) &* 0x9e37_79b9_7f4a_7c15
    key = (key ^ fix.coordinate.longitude.bitPattern) &* 0xd6e8_feb8_6659_fd93
    key = (key ^ key >> 29 ^ fix.coordinate.latitude.bitPattern) &* 0xbf58_476d_1ce4_e5b9
    key = (key ^ key >> 31 ^ (fix.accuracy ?? -1).bitPattern) | 1
    return withUnsafeMutableBytes(of: &keys) { bytes in
      let slots = bytes.bindMemory(to: UInt64.self)
      for slot in slots where slot == key { return true }
      slots[next] = key
      next = (next + 1) & 7
      return false
    }
  }
}

extension Monitor {
  /// Applies the rules for one fix, cheapest first. A refusal allocates nothing.
  mutating func judge(_ fix: Fix, at now: ClockReading, into effects: inout EffectBuffer) -> Verdict {
    state.accounting.fixes.increase()
    guard let consent = state.consent, consent.purposes.contains(.record) else { return .refused(.noConsent) }
    let gate = phase == .tracking || phase == .resting || phase == .armed ? self.gate : nil
    guard gate != nil || outside.isOn else { return .refused(.notTracking) }
    guard fix.coordinate.isValid, fix.time.milliseconds >= 0, (fix.accuracy ?? 0) >= 0, (fix.accuracy ?? 0) < 1e7
    else { return .refused(.invalid) }
    if fix.time > now.wall + configuration.futureTolerance { return .refused(.future) }
    if fix.isMocked, !configuration.acceptsMocked { return .refused(.mocked) }
    let isOfSession = gate != nil && fix.time >= session.start
    if !isOfSession, !outside.isOn || fix.time < outside.start { return .refused(.stale) }
    if recent.seen(fix) { return .refused(.duplicate) }

    // The rules judge the coordinate that is stored and sent: the seventh decimal is a centimetre.
    var fix = fix
    fix.coordinate.longitude = (fix.coordinate.longitude * 1e7).rounded() / 1e7
    fix.coordinate.latitude = (fix.coordinate.latitude * 1e7).rounded() / 1e7
    guard isOfSession, let gate else {
      let verdict = judgeOutside(fix, now, into: &effects)
      // A fix in a venue is refused because its session does not cover it.
      guard verdict == .refused(.outside) else { return verdict }
      return .refused(gate == nil ? .notTracking : .stale)
    }
    let verdict = judge(fix, in: gate, now, into: &effects)
    // A fix that made another venue active is inside of that venue's circle: the next one is judged there.
    guard verdict == .refused(.outside), outside.isOn, self.gate?.venue == gate.venue else { return verdict }
    return judgeOutside(fix, now, into: &effects)
  }

  /// Applies the rules of the active venue.
  private mutating func judge(
    _ fix: Fix, in gate: any VenueGate, _ now: ClockReading, into effects: inout EffectBuffer
  ) -> Verdict {
    let point = frame.project(fix.coordinate)
    if !followFence(fix, at: point, now, into: &effects) { return .refused(.outside) }
    guard var accuracy = fix.accuracy else { return .refused(.unknownAccuracy) }
    accuracy = (accuracy * 1e3).rounded() / 1e3
    if accuracy > configuration.maximumAccuracy { return .refused(.tooInaccurate) }

    let floor = floors.floor(for: fix, agreeing: configuration.floorFixes)
    let verdict = gate.judge(fix.coordinate, floor: floor, accuracy: accuracy)
    if !verdict.isInside {
      noteSpace(nil, at: fix.time, now, into: &effects)
      session.outsideFixes += 1
      if phase == .resting, session.outsideFixes >= configuration.exitFixes {
        leaveRest(now, confirmed: false, into: &effects)
      }
      return .refused(.outside)
    }
    session.outsideFixes = 0
    if isTooFast(fix.time, point, accuracy) { return .refused(.tooFast) }
    session.last = (fix.time, point, accuracy)
    if verdict.recording == .unrecorded {
      noteSpace(nil, at: fix.time, now, into: &effects)
      if phase == .resting { leaveRest(now, confirmed: false, into: &effects) }
      return .refused(.unrecorded)
    }

    noteSpace(verdict.recording == .full ? verdict.space : nil, at: fix.time, now, into: &effects)
    if phase == .resting {
      if staysAtRest(point, accuracy: accuracy, now, into: &effects) {
        state.accounting.thinned.increase()
        return .thinned
      }
      leaveRest(now, confirmed: false, into: &effects)
    }
    let observation = Observation(
      fix: fix, point: point, accuracy: accuracy, floor: floor, isFloorOnly: verdict.recording == .floorOnly,
      space: verdict.space)
    let result = thin(observation, now, into: &effects)
    noteStillness(point, accuracy: accuracy, now, into: &effects)
    return result
  }

  private mutating func isTooFast(_ time: Instant, _ point: PlanePoint, _ accuracy: Double) -> Bool {
    guard let last = session.last else { return false }
    let dx = point.x - last.point.x
    let dy = point.y - last.point.y
    let slack = accuracy + last.accuracy
    let reach = slack + configuration.maximumSpeed * abs((time - last.time).seconds)
    if dx * dx + dy * dy <= reach * reach {
      session.fastFixes = 0
      return false
    }
    // Several fixes in a row agree on the new position, so the old one was wrong.
    session.fastFixes += 1
    if session.fastFixes < 3 { return true }
    session.fastFixes = 0
    return false
  }
}

/// A fix that passed every rule, with the gate's answer for it.
struct Observation: Sendable {
  var fix: Fix
  var point: PlanePoint
  var accuracy: Double
  var floor: FloorOrdinal?
  var isFloorOnly: Bool
  var space: SpaceID?
}

/// Accepts another floor only after several fixes in a row report it; an unknown floor stays unknown.
struct FloorState: Sendable {
  private var believed: FloorOrdinal?
  private var proposed: FloorOrdinal?
  private var count = 0
  private var provided: FloorOrdinal?

  mutating func provide(_ floor: FloorOrdinal?) { provided = floor }

  mutating func reset() {
    believed = nil
    proposed = nil
    count = 0
  }

  mutating func floor(for fix: Fix, agreeing needed: Int) -> FloorOrdinal? {
    guard let floor = fix.floor ?? provided else { return nil }
    guard let current = believed, current != floor else {
      believed = floor
      count = 0
      return floor
    }
    count = proposed == floor ? count + 1 : 1
    proposed = floor
    guard count >= needed else { return current }
    believed = floor
    count = 0
    return floor
  }
}
