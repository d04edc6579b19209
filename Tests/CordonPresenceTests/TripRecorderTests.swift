import CordonCore
import CordonPresence
import Testing

@Suite("Recorded trips")
struct TripRecorderTests {
  @Test func aTripHasItsModeTimesAndLength() {
    var recorder = TripRecorder(.bicycle, start: Near.start)
    for second in 0...600 {
      #expect(recorder.add(Near.fix(Double(second), east: Double(second) * 4)) == nil)
    }
    let trip = recorder.stop(at: Near.start + 605_000, steps: 12)
    #expect(trip.mode == .bicycle && trip.duration == 605_000 && trip.steps == 12 && !trip.stoppedAutomatically)
    #expect(abs(trip.distance - 2_400) < 25)
    #expect(trip.fixes == 601)
    #expect(trip.startCoordinate == Near.place(0) && trip.endCoordinate == Near.place(2_400))
  }

  @Test func aForgottenTripEndsWhereThePersonStopped() throws {
    var recorder = TripRecorder(.walk, start: Near.start, rest: .minutes(10))
    var noise = Noise(seed: 4)
    var ended: [RecordedTrip] = []
    for second in 0..<3_000 {
      let east = min(Double(second), 500) * 1.4
      if let trip = recorder.add(Near.fix(Double(second), east: east + noise.normal() * 2, north: noise.normal() * 2)) {
        ended.append(trip)
      }
    }
    #expect(ended.count == 1)
    let trip = try #require(ended.first)
    // It ends with the last 35 m of movement, not 10 minutes later.
    #expect(trip.stoppedAutomatically)
    #expect(abs(trip.duration - 500_000) < 30_000)
    #expect(abs(trip.distance - 700) < 45, "\(trip.distance)")
    // A stop afterwards gives the same trip.
    #expect(recorder.stop(at: Near.start + 3_000_000).end == trip.end)
    var endless = TripRecorder(.walk, start: Near.start, rest: nil)
    for second in 0..<3_000 { #expect(endless.add(Near.fix(Double(second))) == nil) }
  }

  @Test func aTripWithoutFixesHasNoPlace() {
    let trip = TripRecorder(.train, start: Near.start).stop(at: Near.start - 5)
    #expect(trip.end == trip.start && trip.startCoordinate == nil && trip.distance == 0)
    #expect(TripMode.allCases.count == 15)
  }
}
