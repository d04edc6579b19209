import CordonCore
import CordonSimulator
import Testing

@Suite("Settings of a simulation")
struct SimulationSettingsTests {
  @Test func theDefaultsCanBeCarriedOut() throws {
    try SimulationSettings().check()
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let setting: String
    let change: @Sendable (inout SimulationSettings) -> Void
    let testDescription: String

    init(_ setting: String, _ what: String, _ change: @escaping @Sendable (inout SimulationSettings) -> Void) {
      self.setting = setting
      self.change = change
      testDescription = "\(setting) \(what)"
    }
  }

  @Test(arguments: [
    Case("people", "none") { $0.people = 0 }, Case("people", "too many") { $0.people = 1_000_001 },
    Case("device-share", "negative") { $0.deviceShare = -0.1 }, Case("device-share", "NaN") { $0.deviceShare = .nan },
    Case("duration", "none") { $0.duration = .zero }, Case("duration", "too long") { $0.duration = .days(32) },
    Case("interval", "too short") { $0.fixInterval = .milliseconds(99) },
    Case("distance", "negative") { $0.contactDistance = -1 },
    Case("distance", "infinite") { $0.contactDistance = .infinity }, Case("max-gap", "none") { $0.maximumGap = .zero },
    Case("start", "before 1970") { $0.start = Instant(milliseconds: -1) },
  ])
  func whatCannotBeCarriedOutIsNamed(wrong: Case) {
    var settings = SimulationSettings()
    wrong.change(&settings)
    let error = #expect(throws: SimulationSettingsError.self) { try settings.check() }
    #expect(error?.setting == wrong.setting)
  }
}
