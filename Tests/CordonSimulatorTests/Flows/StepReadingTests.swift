import CordonCore
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

/// A clinic with four rooms on one floor, as scenario text.
enum Clinic {
  static let activities = """
    activities:
      - {name: registration, kinds: [lobby], servers: 2, duration: {distribution: exponential, mean: 60s}}
      - {name: wait, kinds: [waiting-area, lobby], until: called}
      - {name: consultation, kinds: [medical], servers: 1, duration: {min: 4m, max: 8m}}
      - {name: pharmacy, kinds: [shop, office], served: true, duration: 90s}
      - {name: kiosk, kinds: [office], duration: {min: 3m, max: 10m}}
      - {name: seminar, kinds: [office], duration: 20m, collective: {events: 1, capacity: 5}}
    """

  static func text(_ steps: String, more: String = "") -> String {
    """
    time: {start: 2026-01-12T08:00, duration: 4h, zone: Europe/Berlin}
    populations:
      - name: patients
        size: 60
        arrival: {window: [08:00, 10:00]}
        steps: \(steps)
    \(more)\(activities)
    """
  }
}

@Suite("Reading steps and servers")
struct StepReadingTests {
  private func scenario(_ steps: String, more: String = "", activity: (String, String)? = nil) throws -> Scenario {
    var text = Clinic.text(steps, more: more)
    if let activity { text = text.replacing(activity.0, with: activity.1) }
    return try Scenario(parsing: text)
  }

  @Test func stepsKeepTheirOrderProbabilitiesAndBranches() throws {
    let steps = try scenario(
      "[registration, wait, consultation, {do: kiosk, probability: 0.25, optional: true}, "
        + "{one_of: [{do: pharmacy, probability: 0.6}, {steps: [wait, consultation]}]}]"
    ).populations[0].steps
    #expect(
      steps == [
        .activity(.init(name: "registration")), .activity(.init(name: "wait")), .activity(.init(name: "consultation")),
        .activity(.init(name: "kiosk", probability: 0.25, isOptional: true)),
        .branches([
          .init(probability: 0.6, steps: [.activity(.init(name: "pharmacy"))]),
          .init(
            probability: 0.4, steps: [.activity(.init(name: "wait")), .activity(.init(name: "consultation"))]),
        ]),
      ])
    #expect(
      steps.activityNames == [
        "registration", "wait", "consultation", "kiosk", "pharmacy", "wait", "consultation",
      ])
  }

  @Test func drawnStepsFollowTheirProbabilities() throws {
    let steps = try scenario(
      "[registration, {do: kiosk, probability: 0.25}, {one_of: [{do: pharmacy, probability: 0.6}, "
        + "{do: consultation, probability: 0.3}]}]"
    ).populations[0].steps
    var counts: [String: Int] = [:]
    for person in 0..<4_000 {
      var random = RandomStream(seed: 1, stream: 2, entity: UInt64(person))
      let names = steps.draw(including: nil, &random).map(\.name)
      #expect(names.first == "registration" && !(names.contains("pharmacy") && names.contains("consultation")))
      for name in names { counts[name, default: 0] += 1 }
    }
    func share(_ name: String) -> Double { Double(counts[name] ?? 0) / 4_000 }
    #expect(share("registration") == 1)
    #expect(abs(share("kiosk") - 0.25) < 0.03 && abs(share("pharmacy") - 0.6) < 0.03)
    #expect(abs(share("consultation") - 0.3) < 0.03)
    // An appointment includes its activity.
    var random = RandomStream(seed: 1, stream: 2)
    #expect(steps.draw(including: "consultation", &random).map(\.name).last == "consultation")
  }

  @Test func serversHaveNumbersHoursAndAnOrder() throws {
    let shifts = "servers: [{from: 08:00, to: 12:00, number: 2}, {from: 09:00, to: 10:00}], order: appointment"
    let activity = try scenario("[registration]", activity: ("servers: 2", shifts)).activities[0]
    #expect(activity.isServed && activity.order == .appointment)
    let windows = activity.servers.map { [$0.window?.from.seconds, $0.window?.to.seconds, $0.servers] }
    #expect(windows == [[28_800, 43_200, 2], [32_400, 36_000, 1]])
    let plain = try scenario("[registration, wait, consultation]")
    #expect(plain.activities[0].servers == [ServerShift(servers: 2)] && plain.activities[1].isUntilCalled)
    #expect(plain.activities[3].isServed && plain.activities[3].servers.isEmpty)
    #expect(plain.calledActivities == [2])
  }

  @Test(arguments: [
    ("[registraton]", 6, "no activity 'registraton' (did you mean 'registration'?)"),
    ("[registration, wait]", 6, "until they are called, so a step with 'servers' must follow it, not the end"),
    ("[wait, kiosk]", 6, "must follow it, not 'kiosk'"),
    ("[{one_of: [{do: wait, probability: 0.5}]}, kiosk]", 6, "must follow it, not 'kiosk'"),
    ("[seminar]", 6, "'seminar' is collective"),
    ("[]", 6, "the list is empty"),
    ("[{do: kiosk, probability: 1.5}]", 6, "1.5"),
    ("[{do: kiosk, chance: 1}]", 6, "unknown key"),
    ("[{one_of: [{do: kiosk, probability: 0.7}, {do: pharmacy, probability: 0.4}]}]", 6, "add up to more than 1"),
    ("[{one_of: [{do: kiosk}], probability: 0.4}]", 6, "belongs to the branches"),
    ("[{probability: 0.4}]", 6, "exactly one of do, one_of"),
    ("{kiosk: 1}", 6, "a list of activities"),
  ])
  func faultySteps(steps: String, line: Int, message: String) throws {
    let error = #expect(throws: ScenarioError.self) { try scenario(steps) }
    #expect(error?.line == line && error?.message.contains(message) == true, "\(error as Any)")
  }

  @Test(arguments: [
    ("servers: 2", "servers: 0", 8, "servers must be at least 1"),
    ("servers: 2", "served: false, servers: 2", 8, "needs 'served: true'"),
    ("servers: 2", "servers: [{from: 12:00, to: 08:00}]", 8, "ends (08:00) before it begins (12:00)"),
    ("servers: 2", "servers: []", 8, "needs a number, or a list"),
    ("servers: 2", "servers: 2, order: appointments", 8, "appointments"),
    (
      "kinds: [office], duration: {min", "kinds: [office], order: arrival, duration: {min", 12, "belongs to an activity"
    ),
    ("until: called", "until: call", 9, "must be 'called'"),
    ("until: called", "until: called, duration: 5m", 9, "cannot be combined with 'until: called'"),
  ])
  func faultyServers(old: String, new: String, line: Int, message: String) throws {
    let error = #expect(throws: ScenarioError.self) {
      try scenario("[registration, wait, consultation]", activity: (old, new))
    }
    #expect(error?.line == line && error?.message.contains(message) == true, "\(error as Any)")
  }

  @Test func stepsExcludeOtherRules() throws {
    for (key, value) in [("visit", "1h"), ("leave", "[11:00, 12:00]"), ("activities", "[kiosk]")] {
      let error = #expect(throws: ScenarioError.self) {
        try scenario("[registration]\n    \(key): \(value)")
      }
      #expect(error?.line == 7 && error?.message.contains("cannot be combined with 'steps'") == true, "\(error as Any)")
    }
    let error = #expect(throws: ScenarioError.self) {
      try Scenario(
        parsing: Clinic.text("[kiosk]").replacing("steps: [kiosk]", with: "activities: [wait]"))
    }
    #expect(error?.line == 6 && error?.message.contains("needs 'steps'") == true, "\(error as Any)")
  }
}
