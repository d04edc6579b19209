import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

/// A monitor that tests bring into a phase before they send an event.
struct Specimen {
  static let start = Instant.testStart
  static let venue = SmallVenue()
  static let otherVenue = SmallVenue("other-venue")
  var monitor: Monitor
  var effects = EffectBuffer()
  var now = ClockReading(virtual: start)
  var isPositioning = false
  var commands: [ProviderCommand] = []
  var stored = 0
  var taken: VenueID?

  init(_ phase: Phase) throws {
    var configuration = MonitorConfiguration()
    configuration.thinning = .zero
    monitor = Monitor(device: try #require(DeviceID("phone")), configuration: configuration)
    tell(.venue(Specimen.venue))
    if phase == .needsVenue {
      monitor = Monitor(device: try #require(DeviceID("phone")), configuration: configuration)
    }
    if phase != .needsConsent { tell(.consent(Consent(version: "1", time: now.wall))) }
    if phase != .needsActivation, phase != .needsConsent { activate() }
    if phase != .off { tell(.start) }
    switch phase {
    case .suspended: tell(.permission(.none))
    case .paused: tell(.pause(until: now.wall + .hours(1)))
    case .tracking, .resting:
      tell(.region(.entered))
      fix(east: 1)
      if phase == .resting {
        tell(.motion(.still))
        for _ in 0..<61 { fix(east: 1) }
      }
    default: break
    }
    try #require(monitor.phase == phase)
  }

  @discardableResult
  mutating func tell(_ event: MonitorEvent) -> Verdict {
    let verdict = monitor.handle(event, at: now, into: &effects)
    follow()
    return verdict
  }

  /// Reports an effect's result, as the runtime does.
  mutating func complete(_ completion: Completion) {
    monitor.complete(completion, at: now, into: &effects)
    follow()
  }

  private mutating func follow() {
    for effect in effects.effects {
      if case .command(let command) = effect {
        commands.append(command)
        if command == .startPositioning { isPositioning = true }
        if command == .stopPositioning { isPositioning = false }
      }
      if case .store = effect { stored += 1 }
      if case .extendDwell = effect { stored += 1 }
      if case .takeVenue(let venue) = effect { taken = venue }
    }
    effects.removeAll()
    if let venue = taken {
      // The runtime's completion when there is no activation for that venue yet.
      taken = nil
      complete(.venueTaken(venue, isActivated: false, tokenEnd: nil, queues: []))
    }
  }

  mutating func activate() {
    tell(.invite(code: "CODE"))
    complete(.activation(.granted(until: now.wall), jitter: 0.5))
  }

  @discardableResult
  mutating func fix(east: Double) -> Verdict {
    now = now + .seconds(5)
    let place = Specimen.venue.place(east: east, north: 0)
    return tell(.fix(Fix(coordinate: place, accuracy: 5, floor: nil, time: now.wall)))
  }
}

/// The events of a monitor, in words.
enum Happening: String, CaseIterable {
  case start = "start"
  case stop = "stop"
  case consent = "consent given"
  case withdraw = "consent withdrawn"
  case pause = "pause"
  case resume = "resume"
  case pauseEnds = "the pause ends"
  case activated = "invite code accepted"
  case deactivated = "server refuses the device"
  case erased = "server erased the device"
  case venue = "venue known"
  case permissionLost = "permission lost"
  case permissionGiven = "permission given"
  case entered = "region entered"
  case exited = "region left"
  case fixInside = "fix inside"
  case fixOutside = "fix outside the venue"
  case farFixes = "three fixes beyond the exit radius"
  case still = "still for five minutes"
  case moving = "moving"
  case leftWakeFence = "wake-up fence left"
  case wake = "timer"
  case flush = "flush"
  case offline = "network lost"
  case woken = "the system wakes the app"
  case otherVenue = "another venue becomes active"
  case retracted = "sharing withdrawn"

  func happen(to specimen: inout Specimen) {
    switch self {
    case .start: specimen.tell(.start)
    case .stop: specimen.tell(.stop)
    case .consent: specimen.tell(.consent(Consent(version: "2", time: specimen.now.wall)))
    case .withdraw: specimen.tell(.withdraw)
    case .pause: specimen.tell(.pause(until: nil))
    case .resume: specimen.tell(.resume)
    case .pauseEnds:
      specimen.now = specimen.now + .hours(2)
      specimen.tell(.wake)
    case .activated: specimen.activate()
    case .deactivated: specimen.complete(.token(.refused, jitter: 0.5))
    case .erased: specimen.complete(.token(.gone, jitter: 0.5))
    case .venue: specimen.tell(.venue(Specimen.venue))
    case .permissionLost: specimen.tell(.permission(.none))
    case .permissionGiven: specimen.tell(.permission(.always))
    case .entered: specimen.tell(.region(.entered))
    case .exited: specimen.tell(.region(.exited))
    case .fixInside: specimen.fix(east: 1)
    case .fixOutside: specimen.fix(east: 45)
    case .farFixes: for far in 0..<3 { specimen.fix(east: 400 + Double(far)) }
    case .still:
      specimen.tell(.motion(.still))
      for _ in 0..<61 {
        if specimen.isPositioning { specimen.fix(east: 1) } else { specimen.pass(.seconds(5)) }
      }
    case .moving: specimen.tell(.motion(.moving))
    case .leftWakeFence: specimen.tell(.leftWakeFence)
    case .wake:
      specimen.now = specimen.now + .seconds(60)
      specimen.tell(.wake)
    case .flush: specimen.tell(.flush)
    case .offline: specimen.tell(.network(.none))
    case .woken: specimen.tell(.woken)
    case .otherVenue: specimen.tell(.venue(Specimen.otherVenue))
    case .retracted: specimen.tell(.retract(.share))
    }
  }
}

extension Specimen {
  mutating func pass(_ span: TimeSpan) {
    now = now + span
    if let due = monitor.nextTimer, due <= now.monotonic { tell(.wake) }
  }
}

@Suite("Every state, every event")
struct TransitionTests {
  @Test(arguments: Phase.allCases, Happening.allCases)
  func transitionsKeepThePromises(phase: Phase, happening: Happening) throws {
    var specimen = try Specimen(phase)
    let before = specimen.stored
    happening.happen(to: &specimen)
    let after = specimen.monitor.phase
    #expect(specimen.isPositioning == (after == .tracking), "positioning is on exactly while tracking")
    let a = specimen.monitor.state.accounting
    #expect(a.fixes == a.refused + a.thinned + a.held + a.stored)
    if phase != .tracking, phase != .resting, after != .tracking {
      #expect(specimen.stored == before, "nothing is stored without tracking")
    }
    if happening == .withdraw || happening == .erased, phase != .needsConsent {
      #expect(specimen.monitor.state.consent == nil)
      let stored = specimen.stored
      specimen.tell(.region(.entered))
      #expect(specimen.fix(east: 1) == .refused(.noConsent))
      #expect(specimen.stored == stored)
    }
    // A second after any event nothing is overdue: timers do not spin.
    specimen.pass(.milliseconds(1))
    if let due = specimen.monitor.nextTimer { #expect(due > specimen.now.monotonic) }
  }

  /// The table and the diagram in docs/reference/monitor-states.md show the monitor's behaviour; `CORDON_RECORD=1`
  /// rewrites them.
  @Test func documentedTransitionsAreTheRealOnes() throws {
    let root = Places.package
    let file = root.appendingPathComponent("docs/reference/monitor-states.md")
    let text = try Self.document()
    // The tests of the status write the rest of the page.
    let page = try String(contentsOf: file, encoding: .utf8)
    let end = page.range(of: "## Causes of missing data\n")?.lowerBound ?? page.endIndex
    if ProcessInfo.processInfo.environment["CORDON_RECORD"] != nil {
      try (text + page[end...]).write(to: file, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written.hasPrefix(text), "docs/reference/monitor-states.md differs from the monitor")
  }

  static func document() throws -> String {
    var text = """
      # The states of a monitor

      The test suite writes this page (`CORDON_RECORD=1 swift test --filter TransitionTests`). The same test fails when
      page and monitor differ. A dot means that the phase does not change.

      | event | \(Phase.allCases.map(\.rawValue).joined(separator: " | ")) |
      |---|\(String(repeating: "---|", count: Phase.allCases.count))

      """
    var edges: [String: [String]] = [:]
    for happening in Happening.allCases {
      var row = "| \(happening.rawValue) |"
      for phase in Phase.allCases {
        var specimen = try Specimen(phase)
        happening.happen(to: &specimen)
        let after = specimen.monitor.phase
        row += after == phase ? " · |" : " \(after.rawValue) |"
        if after != phase { edges["\(phase.rawValue) --> \(after.rawValue)", default: []].append(happening.rawValue) }
      }
      text += row + "\n"
    }
    text += "\n```mermaid\nstateDiagram-v2\n  [*] --> off\n"
    for (edge, reasons) in edges.sorted(by: { $0.key < $1.key }) {
      text += "  \(edge): \(reasons.joined(separator: ", "))\n"
    }
    return text + "```\n"
  }
}
