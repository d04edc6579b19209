import CordonCore
import CordonMonitoring
import CordonSimulator
import Testing

@Suite("A day outside of venues, by policy")
struct EverydayTests {
  /// The figures of `docs/records/presence.md`.
  @Test func presetsCostWhatTheyRecord() throws {
    let fine = try EverydayPhone.figures(of: TrackingPolicy(preset: .highResolution))
    let balanced = try EverydayPhone.figures(of: TrackingPolicy(preset: .balanced))
    let saver = try EverydayPhone.figures(of: TrackingPolicy(preset: .saver))
    for (name, figures) in [("high-resolution", fine), ("balanced", balanced), ("saver", saver)] {
      print(
        "\(name): \(figures.joules) J, \(figures.batteryPercent) %, positioning \(figures.positioning), "
          + "\(figures.fixes) fixes, \(figures.rows) rows, \(figures.requests) requests, length \(figures.lengthShare)")
    }
    #expect(fine.joules > 3 * balanced.joules && balanced.joules > saver.joules)
    #expect(fine.rows > balanced.rows && balanced.rows > saver.rows && saver.rows > 4)
    // Positioning pauses at home and at work.
    #expect(fine.positioning > .hours(23) && balanced.positioning < .hours(3) && saver.positioning == .zero)
  }

  @Test func visitsAloneFindHomeAndWork() throws {
    var policy = TrackingPolicy()
    policy.mode = .visits
    let figures = try EverydayPhone.figures(of: policy)
    #expect(figures.positioning == .zero && figures.fixes == 0)
    #expect(figures.rows >= 3, "\(figures)")
  }

  @Test func theSameSeedGivesTheSameDay() throws {
    let policy = TrackingPolicy(preset: .saver)
    #expect(try EverydayPhone.figures(of: policy, seed: 3) == EverydayPhone.figures(of: policy, seed: 3))
  }
}
