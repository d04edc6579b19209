package import CordonCore
package import CordonPresence

/// The state that the events of a participant give: permissions, pauses, the local clock.
package struct ParticipantState: Hashable, Sendable {
  /// A time in which positions count.
  package struct Span: Hashable, Sendable {
    /// The first instant.
    package var from: Instant
    /// The end, which is not part of it; `nil` while it lasts.
    package var to: Instant?
  }

  /// A permission that is lost at present.
  package struct Loss: Hashable, Sendable {
    /// The permission.
    package var permission: StudyEvent.Permission
    /// The first report of the loss since the permission was given last.
    package var since: Instant
  }

  /// The state of the participant at present.
  package enum Phase: String, Hashable, Sendable, CaseIterable {
    /// Enrolled, and never recorded.
    case enrolled
    /// Recording.
    case active
    /// The participant paused.
    case paused
    /// The phone stopped recording.
    case stopped
    /// The participant left.
    case left
  }

  /// The state at present.
  package private(set) var phase: Phase
  /// The times in which positions count, in order.
  package private(set) var spans: [Span] = []
  /// The permissions that are lost at present, in the order of the list.
  package private(set) var losses: [Loss] = []
  /// The permissions that are given at present, in the order of the list.
  package private(set) var granted: [StudyEvent.Permission] = []
  /// The local clock.
  package private(set) var calendar: DayCalendar
  /// The time from UTC to the local clock at present.
  package private(set) var offset: TimeSpan

  /// Reads events in any order. Of each permission the latest state counts, whatever came before.
  /// - Complexity: O(n log n).
  package init(_ participant: Participant, _ events: [StudyEvent]) {
    var isActive = false
    var isPaused = false
    var hasStarted = false
    var permissions: [StudyEvent.Permission: (isGiven: Bool, since: Instant)] = [:]
    var changes: [DayCalendar.Change] = []
    var spans: [Span] = []
    func update(_ time: Instant) {
      let counts = isActive && !isPaused
      if counts, spans.last.map({ $0.to != nil }) ?? true {
        spans.append(Span(from: time, to: nil))
      } else if !counts, let last = spans.indices.last, spans[last].to == nil {
        spans[last].to = time
      }
    }
    for event in events.sorted(by: StudyEvent.isEarlier) {
      switch event.kind {
      case .trackingStarted:
        (isActive, hasStarted) = (true, true)
      case .trackingStopped: isActive = false
      case .paused: isPaused = true
      case .resumed: isPaused = false
      case .left: isActive = false
      case .permissionsUpdate:
        guard let permission = event.permission else { break }
        let isGiven = event.value == 1
        if permissions[permission]?.isGiven != isGiven { permissions[permission] = (isGiven, event.time) }
      case .offsetChanged:
        if let minutes = event.value { changes.append(.init(from: event.time, offset: .minutes(minutes))) }
      case .enrolled, .consentGiven: break
      }
      update(event.time)
    }
    if let left = participant.left {
      (isActive, isPaused) = (false, false)
      update(left)
    }
    self.spans = spans
    for permission in StudyEvent.Permission.allCases {
      guard let state = permissions[permission] else { continue }
      if state.isGiven {
        granted.append(permission)
      } else {
        losses.append(Loss(permission: permission, since: state.since))
      }
    }
    phase =
      participant.left != nil
      ? .left : isPaused ? .paused : isActive ? .active : hasStarted ? .stopped : .enrolled
    calendar = DayCalendar(offset: participant.offset, changes: changes)
    offset = changes.last?.offset ?? participant.offset
  }

  /// Returns whether positions of a time count.
  package func counts(_ time: Instant) -> Bool {
    spans.contains { $0.from <= time && $0.to.map { time < $0 } ?? true }
  }
}
