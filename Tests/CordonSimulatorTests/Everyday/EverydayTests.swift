import CordonCore
import CordonGeometry
import CordonMonitoring
import Testing

@testable import CordonSimulator

@Suite("A day outside of venues, by policy")
struct EverydayTests {
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

  @Test func daysEndAtHomeAndHaveTheirLength() {
    for number in 0..<20 {
      let day = EverydayDay(number: number, seed: 5)
      #expect(day.stays.count == day.ways.count + 1 && day.stays.count >= 5)
      #expect(day.stays.first?.point == day.stays.last?.point && day.stays.last?.end == EverydayDay.seconds)
      for (stay, way) in zip(day.stays, day.ways) {
        #expect(stay.end == way.start && way.end > way.start && way.length > 300)
        #expect(day.place(at: (stay.start + stay.end) / 2).point == stay.point)
        #expect(day.place(at: (way.start + way.end) / 2).isMoving)
      }
      // The truth measured in steps of a second.
      let path = stride(from: 0, through: EverydayDay.seconds, by: 1).map { day.place(at: $0).point }
      let length = zip(path, path.dropFirst()).reduce(0.0) { $0 + PlanePoint.distance($1.0, $1.1) }
      #expect(abs(length / day.length - 1) < 0.01)
    }
    #expect(abs(EverydayDay.commute.length - 7_200) < 1e-6)
  }

  /// A receiver without errors and gaps finds every stay and every way.
  @Test func perfectRowsHaveSmallErrors() throws {
    let day = EverydayDay(number: 3, seed: 2)
    let frame = LocalFrame(origin: EverydayPhone.origin)
    let device = try #require(DeviceID("phone"))
    let rows = stride(from: 0, to: EverydayDay.seconds, by: 5).map { second -> Location in
      let place = frame.unproject(day.place(at: second).point)
      let time = EverydayPhone.start + .seconds(Int64(second))
      return Location(
        id: FixID(device: device, time: time, coordinate: place, accuracy: 1, floor: nil), device: device,
        venue: .everywhere, coordinate: place, accuracy: 1, floor: nil, time: time)
    }
    let errors = EverydayErrors(rows, of: day)
    #expect(errors.foundStays == day.stays.count && errors.extraStays == 0)
    #expect(errors.foundWays == day.ways.count && errors.extraWays == 0)
    #expect(abs(errors.distance) < 3 && errors.lengths.allSatisfy { abs($0) < 5 }, "\(errors)")
    #expect(errors.arrivals.count == day.stays.count - 1 && errors.dwells.count == day.stays.count - 2)
    #expect(
      (errors.arrivals + errors.departures + errors.starts + errors.ends).allSatisfy { abs($0) < 60 }, "\(errors)")
    let nothing = EverydayErrors([], of: day)
    #expect(nothing.foundStays == 0 && nothing.foundWays == 0 && nothing.distance == -100)
  }

  @Test func policiesAreComparedOnTheSameDays() throws {
    var calls: [Int] = []
    let result = try EverydayComparison(days: 2, seed: 4, progress: { calls.append($0) })
    #expect(calls == [1, 2] && result.days == 2)
    #expect(result.rows.map(\.name) == EverydayComparison.policies.map(\.name))
    let (fine, saver) = (try #require(result.rows.first), result.rows[3])
    #expect(fine.joules.mean > saver.joules.mean && fine.rows.mean > saver.rows.mean)
    #expect(fine.stays == saver.stays && fine.foundStays == fine.stays && fine.foundWays == fine.ways)
    #expect(abs(fine.distance.mean) < abs(saver.distance.mean))
    // Pauses and visits of the system are stays.
    for row in result.rows { #expect(Double(row.foundStays) >= 0.9 * Double(row.stays), "\(row.name)") }
    #expect(fine.distance.margin.isFinite && fine.distance.margin > 0)
    let none = try EverydayComparison(days: 2, seed: 4, isInterrupted: { true })
    #expect(none.days == 0 && none.rows.allSatisfy { $0.joules.mean.isNaN })
  }
}
