import CordonTestSupport

#if os(Linux)
  import Cordon
  import CordonAppleShims
  import CordonCore
  import CordonMonitoring
  import CordonTesting
  import Foundation
  import Testing

  @testable import CordonApple

  @Suite("Core Location's asynchronous interface, with stand-ins", .serialized, .timeLimit(.minutes(5)))
  struct LiveLocationProviderTests {
    struct Failed: Error {}

    @Test func fixesCrossingsAndFailuresAreDelivered() async throws {
      let puppet = LiveLocationPuppet.shared
      let provider = LiveLocationProvider()
      var events = provider.events().makeAsyncIterator()
      provider.perform(.watchRegion(SmallVenue().geofence))
      try await wait { puppet.conditions == ["venue"] }
      puppet.crossings.continuation.yield(.init(identifier: "someone.else", state: .satisfied))
      puppet.crossings.continuation.yield(.init(identifier: "venue", state: .satisfied))
      #expect(try await events.next() == .region(.entered))
      provider.perform(.startPositioning)
      try await wait { puppet.streams >= 1 }
      puppet.deliver(CLLocationUpdate(location: nil))
      puppet.deliver(
        CLLocationUpdate(
          location: CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 47.37, longitude: 8.54), horizontalAccuracy: 7,
            timestamp: Date(timeIntervalSince1970: 1_767_254_400))))
      guard case .fix(let fix) = try await events.next() else {
        Issue.record("no fix")
        return
      }
      #expect(fix.accuracy == 7 && fix.floor == nil && fix.time == Instant.testStart)
      provider.perform(.unwatchRegion)
      try await wait { puppet.conditions.isEmpty }
      puppet.fail(Failed())
      await #expect(throws: Failed.self) { while try await events.next() != nil {} }
    }
  }
#endif
