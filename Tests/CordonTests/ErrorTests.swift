import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import Cordon

@Suite("Errors with remedies, and invalid settings")
struct ErrorTests {
  static let errors: [any CordonError] =
    [
      StoreError(.corrupt, "x.sqlite: file is not a database"), StoreError(.full, "write"),
      SealingError(.locked, "keychain"), PackedVenueError(.truncated, at: 12, in: "spaces"),
      PackedVenueError(.notAPackedVenue, in: "file"), GeofenceError.emptyBoundary, RFC3339Error(.malformed, at: 1),
      MonitorConfigurationError(field: "batchRows", value: "0", allowed: "1 to 10"),
      SinkError.sharedNumber(.overland), SinkError.noEndpoint(.cordon), SinkError.noSink(SinkID(number: 16)),
      SinkError.noActivation(.overland, format: "overland"), SinkError.severalActivations([.cordon, .ingest]),
    ] + ConsentError.allCases

  @Test(arguments: ErrorTests.errors.indices) func anAlertShowsWhatHappenedAndWhatToDo(index: Int) {
    let error: any Error = Self.errors[index]
    #expect(error.localizedDescription == "\(error)")
    #expect(!error.localizedDescription.contains("could not be completed"))
    #expect((error as NSError).localizedRecoverySuggestion?.hasSuffix(".") == true)
  }

  struct Nonsense: Sendable, CustomTestStringConvertible {
    var field: String
    var change: @Sendable (inout MonitorConfiguration) -> Void
    var testDescription: String { field }

    init(_ field: String, _ change: @escaping @Sendable (inout MonitorConfiguration) -> Void) {
      self.field = field
      self.change = change
    }

    static let all: [Nonsense] = [
      .init("maximumAccuracy") { $0.maximumAccuracy = -1 }, .init("maximumAccuracy") { $0.maximumAccuracy = .nan },
      .init("maximumAccuracy") { $0.maximumAccuracy = .infinity }, .init("thinning") { $0.thinning = .seconds(-5) },
      .init("minimumDistance") { $0.minimumDistance = -0.1 },
      .init("futureTolerance") { $0.futureTolerance = .seconds(-1) }, .init("maximumSpeed") { $0.maximumSpeed = 0 },
      .init("exitFixes") { $0.exitFixes = 0 }, .init("floorFixes") { $0.floorFixes = -1 },
      .init("stillAfter") { $0.stillAfter = .zero }, .init("heartbeat") { $0.heartbeat = .zero },
      .init("stillRadius") { $0.stillRadius = .nan }, .init("flushAfter") { $0.flushAfter = .seconds(-1) },
      .init("flushRows") { $0.flushRows = 0 }, .init("batchRows") { $0.batchRows = 0 },
      .init("backoffBase") { $0.backoffBase = .zero }, .init("backoffCap") { $0.backoffCap = .milliseconds(1) },
      .init("requestTimeout") { $0.requestTimeout = .zero }, .init("leaseDuration") { $0.leaseDuration = .seconds(1) },
      .init("maximumRows") { $0.maximumRows = 0 }, .init("maximumBytes") { $0.maximumBytes = 10 },
      .init("maximumAge") { $0.maximumAge = .zero }, .init("deviceType") { $0.deviceType = "" },
      .init("everywhere") { $0.everywhere = TrackingPolicy() },
      .init("deviceType") { $0.deviceType = "a\u{1B}[31m" },
      .init("spaceFixes") { $0.spaceFixes = 0 }, .init("dwellAfter") { $0.dwellAfter = .zero },
      .init("sinks") { $0.sinks = [Sink(.cordon), Sink(.overland), Sink(.cordon)] },
    ]
  }

  @Test(arguments: Nonsense.all.indices) func invalidConfigurationsNameTheField(index: Int) throws {
    let nonsense = Nonsense.all[index]
    var configuration = MonitorConfiguration()
    nonsense.change(&configuration)
    let url = try #require(URL(string: "http://server.invalid"))
    let scratch = try TemporaryFolder()
    let folder = scratch.url.appendingPathComponent("store")
    let error = #expect(throws: MonitorConfigurationError.self) {
      try ContactMonitor(
        venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: url)], provider: SimulatedProvider(route: []),
        file: folder.path, configuration: configuration)
    }
    #expect(error?.field == nonsense.field)
    #expect(error?.description.hasPrefix("MonitorConfiguration.\(nonsense.field) is ") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path), "nothing is made on the disk")
  }

  /// Every field is validated: a new one cannot be forgotten.
  @Test func everyFieldIsChecked() {
    let known = Set(Nonsense.all.map(\.field)).union(["acceptsMocked", "sendsOnMetered", "reportsSpaces"])
    for case (let name?, _) in Mirror(reflecting: MonitorConfiguration()).children {
      #expect(known.contains(name), "\(name)")
    }
  }

  @Test func commonConfigurationsAreValid() throws {
    for preset in Preset.allCases { try MonitorConfiguration(preset: preset).validate() }
  }

  @Test(arguments: [
    (Consent(version: "", time: Instant(milliseconds: 1)), ConsentError.badVersion),
    (Consent(version: "  ", time: Instant(milliseconds: 1)), .badVersion),
    (Consent(version: "1\n", time: Instant(milliseconds: 1)), .badVersion),
    (Consent(version: String(repeating: "v", count: 257), time: Instant(milliseconds: 1)), .badVersion),
    (Consent(version: "1", purposes: [], time: Instant(milliseconds: 1)), .noPurpose),
    (Consent(version: "1", time: .epoch), .badTime),
  ])
  func aConsentWithoutPurposesIsRefused(consent: Consent, expected: ConsentError) async throws {
    let url = try #require(URL(string: "http://server.invalid"))
    let monitor = try ContactMonitor(
      venue: SmallVenue(), endpoints: [SinkEndpoint(.cordon, url: url)], provider: SimulatedProvider(route: []),
      store: MemoryStore())
    await #expect(throws: expected) { try await monitor.consent(to: consent) }
    // The monitor itself rejects it too.
    let phone = try TestPhone()
    phone.send(.consent(consent))
    #expect(phone.runtime.monitor.state.consent == nil)
  }

  @Test func noticesAreReadableAndContainNoCoordinates() throws {
    let venue = try #require(VenueID("clinic"))
    let device = try #require(DeviceID("phone-1"))
    let notices: [(MonitorNotice, String)] = [
      (.phase(.armed), "phase armed"), (.expired(.age, count: 3), "3 locations expired by age"),
      (
        .delivery(.cordon, .judged(acknowledged: 17, quarantined: 1, kept: 2, retryAfter: nil)),
        "cordon: locations: 17 acknowledged, 1 refused, 2 kept"
      ),
      (.delivery(SinkID(number: 16), .unauthorized), "sink 16: the token was not accepted"),
      (.storeFailed(StoreError(.full, "insert: disk full")), "the store failed: insert: disk full"),
      (.activatedElsewhere(venue), "the invite code was for another venue, clinic"),
      (.erased(device), "every sink that can erase confirmed that it erased phone-1"),
      (.notErased(device, .overland), "overland cannot erase what it received from phone-1"),
    ]
    for (notice, text) in notices { #expect(notice.description == text) }
  }
}
