#if os(Linux)
  import Cordon
  import CordonCore
  import CordonMonitoring
  import CordonPresence
  import CordonTestSupport
  import Foundation
  import Testing

  @testable import WayDiarySession

  /// The logic of the second sample, with a provider that the test controls.
  @Suite("The sample of a diary", .timeLimit(.minutes(10)))
  @MainActor
  struct WayDiaryTests {
    struct Places: LocationProvider {
      let stream: AsyncStream<ProviderEvent>
      func events() -> AsyncStream<ProviderEvent> { stream }
      func perform(_ command: ProviderCommand) {}
    }

    let folder: TemporaryFolder
    let session = WayDiarySession()
    let send: AsyncStream<ProviderEvent>.Continuation
    let provider: Places

    init() throws {
      folder = try TemporaryFolder()
      let (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
      send = continuation
      provider = Places(stream: stream)
      session.offset = .zero
    }

    var files: WayDiarySession.Files { .init(in: folder.url) }

    func fix(_ longitude: Double) {
      send.yield(
        .fix(
          Fix(
            coordinate: Coordinate(longitude: longitude, latitude: 48.1), accuracy: 5, floor: nil,
            time: SystemClock().now.wall)))
    }

    /// Waits until the monitor has judged a number of fixes.
    func judged(_ count: UInt64) async throws {
      try await wait { (await session.current?.status.accounting.fixes ?? 0) >= count }
      await session.current?.drain(within: .minutes(5))
      await session.refresh()
    }

    @Test func nothingIsRecordedBeforeTheConsentAndAllGoesWithIt() async throws {
      try await session.open(files, provider: provider)
      #expect(session.guide.next?.title == "Read what is recorded, and agree")
      fix(11.50)
      try await judged(1)
      #expect(session.diary.count == 0)
      try await session.agree()
      #expect(session.guide.next == nil)
      fix(11.51)
      try await judged(2)
      #expect(session.diary.count == 1)
      #expect(session.diary.summary().days.map(\.positions) == [1])
      #expect(session.destinations.map(\.name) == ["This phone"])
      #expect(try await session.export().count > 100)
      await session.stopEverywhere()
      #expect(session.diary.count == 0)
      #expect(!FileManager.default.fileExists(atPath: files.diary.path))
      fix(11.52)
      try await judged(3)
      #expect(session.diary.count == 0)
    }

    @Test func aTripAndHomesSurviveTheApp() async throws {
      try await session.open(files, provider: provider)
      try await session.startTrip("walk")
      #expect(session.settings.trip == nil, "no trip without consent")
      try await session.agree()
      try await session.startTrip("walk")
      fix(11.50)
      try await judged(1)
      #expect(DiarySettings.read(files.settings).trip?.mode == "walk")
      let trip = try #require(try await session.stopTrip())
      #expect(trip.mode == "walk" && trip.startPlace?.longitude == 11.5)
      try await session.moveHome(to: Coordinate(longitude: 11.5, latitude: 48.1), radius: 100)
      try await session.moveHome(to: Coordinate(longitude: 12, latitude: 48.1), radius: 50)
      let kept = DiarySettings.read(files.settings)
      #expect(kept.trip == nil && kept.homes.map(\.from).first == .some(nil) && kept.homes.last?.from != nil)
      await #expect(throws: (any Error).self) {
        try await session.moveHome(to: Coordinate(longitude: 12, latitude: 48.1), radius: 20)
      }
    }

    private actor Receiver: HTTPTransport {
      private(set) var bodies: [String] = []
      func send(_ message: HTTPRequest) -> HTTPResponse {
        bodies.append(String(decoding: message.body, as: UTF8.self))
        return HTTPResponse(status: 200, body: Array(#"{"result":"ok"}"#.utf8))
      }
    }

    private func openWithReceiver() async throws -> Receiver {
      var settings = DiarySettings()
      settings.receiver = URL(string: "https://me.example.org/in")
      try settings.write(files.settings)
      let receiver = Receiver()
      try await session.open(files, provider: provider, transport: receiver)
      try await session.agree()
      return receiver
    }

    @Test func aTripReachesTheReceiver() async throws {
      let receiver = try await openWithReceiver()
      try await session.startTrip("walk")
      fix(11.50)
      try await judged(1)
      #expect(await receiver.bodies.contains { $0.contains(#""trip":{"mode":"walk""#) && $0.contains("[11.5") })
      #expect(await !receiver.bodies.contains { $0.contains(#""type":"trip""#) })
      _ = try await session.stopTrip()
      let last = try #require(await receiver.bodies.last)
      #expect(last.contains(#""type":"trip","mode":"walk""#) && last.contains("[11.5"))
    }

    @Test func aTripIsForgottenWithTheConsent() async throws {
      let receiver = try await openWithReceiver()
      try await session.startTrip("walk")
      fix(11.50)
      try await judged(1)
      await session.stopEverywhere()
      _ = try await session.stopTrip()
      #expect(await !receiver.bodies.contains { $0.contains(#""type":"trip""#) })
    }

    @Test func aSetupLinkIsShownBeforeItCounts() async throws {
      try await session.open(files, provider: provider)
      let link = "overland://setup?url=https%3A%2F%2Fme.example.org%2Fin&token=secret"
      let changes = try session.changes(of: link)
      #expect(changes.map(\.name) == ["url", "token"])
      #expect(!changes.contains { $0.new.contains("secret") })
      #expect(session.settings.receiver == nil)
      try session.apply(link)
      #expect(DiarySettings.read(files.settings).receiver?.host == "me.example.org")
      #expect(throws: (any Error).self) { try session.changes(of: "overland://setup?token=secret") }
    }

    @Test func theHomePickerOffersTheRadiiOfTheRules() {
      #expect(WayDiarySession.radii.first == PersonDiary.homeRadii.lowerBound)
      #expect(WayDiarySession.radii.last == PersonDiary.homeRadii.upperBound)
      #expect(WayDiarySession.radii.count == 10)
    }
  }
#endif
