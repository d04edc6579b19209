import Cordon
import CordonCore
import CordonFHIR
import CordonMonitoring
import CordonTestSupport
import CordonTracking
import Foundation
import Testing

@Suite("A tracker's configuration file")
struct ConfigurationTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func read(_ text: String) throws -> TrackerConfiguration {
    try TrackerConfiguration(file: try folder.write(text, to: "tracker.json"))
  }

  @Test func everyConfigurationKeyIsRead() throws {
    let configuration = try read(
      """
      {"venue": "v.cvp", "venues": ["w.cvp", "/maps/x.mvf.zip", "https://a.example/v1/venues/y"], "venue_refresh": "10m", "store": "/var/lib/x.sqlite", "keys": "k", "sealed": true, "gpsd": "[::1]:2950",
       "sinks": [{"kind": "cordon", "url": "https://a.example/base", "required": true, "activation": false},
                 {"kind": "overland", "url": "https://b.example/in", "token": "t", "any_success": true, "required": false},
                 {"kind": "owntracks", "url": "http://c.example/pub"}, {"kind": "file", "path": "rows.jsonl"}],
       "preset": "saver", "maximum_accuracy_m": 30, "thinning": "1s", "minimum_distance_m": 2, "still_after": "3m",
       "heartbeat": "30s", "flush_after": "off", "flush_rows": 10, "batch_rows": 20, "maximum_rows": 1000,
       "maximum_bytes": 1000000, "maximum_age": "3d", "device_type": "cart"}
      """)
    let root = folder.url.path
    #expect(
      configuration.venues == [root + "/v.cvp", root + "/w.cvp", "/maps/x.mvf.zip", "https://a.example/v1/venues/y"])
    #expect(configuration.venueRefresh == .minutes(10))
    #expect(configuration.venueFolder?.path == "/var/lib/x.sqlite.venues")
    #expect(configuration.store == "/var/lib/x.sqlite")
    #expect(configuration.keysPath == root + "/k")
    #expect(configuration.gpsdAddress?.host == "::1" && configuration.gpsdAddress?.port == 2950)
    let monitor = configuration.completeMonitor
    #expect(monitor.sinks.map(\.id) == [.cordon, .overland, .ownTracks, .file])
    #expect(monitor.sinks.map(\.isRequired) == [true, false, true, true])
    #expect(monitor.sinks.map(\.needsActivation) == [false, false, false, false])
    #expect(monitor.flushAfter == nil && monitor.thinning == .seconds(1) && monitor.maximumAccuracy == 30)
    #expect(monitor.maximumAge == .days(3) && monitor.deviceType == "cart" && monitor.heartbeat == .seconds(30))
    let receiver = configuration.sinks[1].endpoint
    #expect(receiver.token == "t" && (receiver.format as? OverlandFormat)?.acceptsAnySuccess == true)
    #expect((SinkEndpoint(.overland, url: receiver.url).format as? OverlandFormat)?.acceptsAnySuccess == false)
    #expect(configuration.sinks[3].url.path == root + "/rows.jsonl")
  }

  @Test(arguments: [
    ("{\n\"venue\": \"v.cvp\"\n\"store\": \"s\"}", "(line 3)"), ("", "(line 1)"),
    (#"{"sinks": [{"kind": "fil", "path": "r"}]}"#, "not 'fil' (sinks[0].kind)"),
  ]) func aFaultHasItsPlace(text: String, end: String) throws {
    let error = #expect(throws: TrackerError.self) { try read(text) }
    #expect(error?.description.hasSuffix(end) == true, "\(String(describing: error))")
  }

  @Test func theModeEverywhereHasAPolicyAndSinksOfItsOwn() throws {
    let configuration = try read(
      #"""
      {"mode": "everywhere", "preset": "saver",
       "everywhere": {"tracking": "both", "accuracy": "10m", "activity": "fitness", "maximum_accuracy_m": 80,
                      "minimum_distance_m": 20, "minimum_interval": "2s", "still_interval": "8m",
                      "background_interval": "off", "pauses": true, "pause_after": "5m", "exit_fence_m": 200,
                      "visits": false, "stale_after": "10m"},
       "sinks": [{"kind": "cordon", "url": "https://a.example"},
                 {"kind": "overland", "url": "https://b.example/in", "purposes": "everywhere"},
                 {"kind": "file", "path": "rows.jsonl", "purposes": "record everywhere"}]}
      """#)
    let monitor = configuration.completeMonitor
    try monitor.validate()
    #expect(monitor.sinks.map(\.purposes) == [.record, .everywhere, [.record, .everywhere]])
    let policy = try #require(monitor.everywhere)
    #expect(policy.mode == .both && policy.desiredAccuracy == .tenMetres && policy.activity == .fitness)
    #expect(policy.maximumAccuracy == 80 && policy.minimumDistance == 20 && policy.minimumInterval == .seconds(2))
    #expect(policy.stillInterval == .minutes(8) && policy.backgroundInterval == nil && policy.pausesAutomatically)
    #expect(policy.pauseAfter == .minutes(5) && policy.exitFence == 200 && !policy.recordsVisits)
    #expect(policy.staleAfter == .minutes(10))
    var other = configuration
    try other.apply(preset: "high-resolution")
    #expect(other.monitor.everywhere == TrackingPolicy(preset: .highResolution))
  }

  @Test func withoutTheModeNothingIsRecordedOutside() throws {
    #expect(try read("{}").monitor.everywhere == nil)
    #expect(throws: TrackerError.self) { try read(#"{"everywhere": {"tracking": "both"}}"#) }
    #expect(throws: TrackerError.self) { try read(#"{"mode": "anywhere"}"#) }
    #expect(throws: TrackerError.self) { try read(#"{"mode": "everywhere", "everywhere": {"exit_fence_m": 50}}"#) }
    #expect(throws: TrackerError.self) {
      try read(#"{"sinks": [{"kind": "file", "path": "x", "purposes": "share"}]}"#)
    }
  }

  /// Each sink has its own number and token.
  @Test func twoSinksOfOneKindNeedANumber() throws {
    let configuration = try read(
      #"""
      {"sinks": [{"kind": "overland", "url": "https://a.example/in", "token": "first"},
                 {"kind": "overland", "url": "https://b.example/in", "token": "second", "number": 20}]}
      """#)
    #expect(configuration.completeMonitor.sinks.map(\.id) == [.overland, SinkID(number: 20)])
    #expect(configuration.sinks.map(\.endpoint.id) == [.overland, SinkID(number: 20)])
    #expect(configuration.sinks.map(\.endpoint.token) == ["first", "second"])
    #expect(configuration.sinks.allSatisfy { $0.endpoint.format is OverlandFormat })
    let abilities = try read(#"{"sinks": [{"kind": "cordon", "url": "https://a.example", "number": 31}]}"#)
    #expect(abilities.completeMonitor.sinks[0].abilities == [.activation, .consent, .erasure, .proofs, .notices])
    #expect(abilities.completeMonitor.sinks[0].needsActivation)
  }

  /// Each type of data has a sink of its own; patient and device have no default.
  @Test func aFHIRServerNeedsAPatientAndADevice() throws {
    let configuration = try read(
      #"""
      {"sinks": [{"kind": "fhir", "url": "https://a.example/FHIR/R5/", "patient": "40001", "device": "70001"},
                 {"kind": "fhir", "url": "https://a.example/FHIR/R4/", "patient": "Patient/2", "device": "Device/3",
                  "data_type": "time-interval", "fhir_version": "R4", "ieee_code": true, "number": 21}]}
      """#)
    let formats = configuration.sinks.compactMap { $0.endpoint.format as? FHIRFormat }
    #expect(formats.map(\.target.patient) == ["40001", "2"] && formats.map(\.target.device) == ["70001", "3"])
    #expect(formats.map(\.target.dataType) == [.geoposition, .timeInterval])
    #expect(formats.map(\.target.version) == [.r5, .r4] && formats.map(\.target.hasIEEECode) == [false, true])
    #expect(configuration.completeMonitor.sinks.map(\.id) == [.fhir, SinkID(number: 21)])
    #expect(configuration.completeMonitor.sinks.allSatisfy { !$0.needsActivation })
    for (text, place) in [
      (#"{"sinks": [{"kind": "fhir", "url": "https://a", "device": "1"}]}"#, "sinks[0].patient"),
      (#"{"sinks": [{"kind": "fhir", "url": "https://a", "patient": "1"}]}"#, "sinks[0].device"),
      (#"{"sinks": [{"kind": "fhir", "url": "https://a", "patient": "a b", "device": "1"}]}"#, "sinks[0].patient"),
      (
        #"{"sinks": [{"kind": "fhir", "url": "https://a", "patient": "1", "device": "1", "data_type": "x"}]}"#,
        "data_type"
      ),
    ] {
      let error = #expect(throws: TrackerError.self) { try read(text) }
      #expect(error?.place?.contains(place) == true, "\(String(describing: error))")
    }
    #expect(throws: TrackerError.self) { try TrackerSink(parsing: "fhir=https://a.example") }
  }

  @Test func theDefaultsAreDocumented() throws {
    let configuration = try read(#"{"store": "s.sqlite"}"#)
    #expect(configuration.keysPath == folder.path("s.sqlite.keys"))
    #expect(configuration.gpsdAddress?.host == "localhost" && configuration.gpsdAddress?.port == 2947)
    var expected = MonitorConfiguration()
    expected.deviceType = "gateway"
    #expect(configuration.monitor == expected)
  }

  @Test(arguments: [
    (#"{"stoer": "x"}"#, "stoer"),
    (#"{"sinks": [{"kind": "cordon", "url": "https://a", "requierd": true}]}"#, "requierd"),
    (#"{"sinks": [{"kind": "carrier-pigeon", "url": "https://a"}]}"#, "sinks[0].kind"),
    (#"{"sinks": [{"kind": "cordon"}]}"#, "sinks[0].url"),
    (#"{"sinks": [{"kind": "cordon", "url": "a.example"}]}"#, "sinks[0]"),
    (#"{"sinks": [{"kind": "cordon", "url": "ftp://a.example"}]}"#, "sinks[0]"), (#"{"thinning": "5x"}"#, "thinning"),
    (#"{"sinks": [{"kind": "file", "path": "a"}, {"kind": "file", "path": "b"}]}"#, "sinks[1]"),
    (#"{"sinks": [{"kind": "file", "path": "a", "number": 15}]}"#, "sinks[0].number"),
    (#"{"sinks": [{"kind": "file", "path": "a", "number": 256}]}"#, "tracker.json"),
    (#"{"thinning": [5]}"#, "thinning"), (#"{"thining": "5s"}"#, "did you mean 'thinning'?"),
    (#"{"batch_rows": 0}"#, "batch_rows"),
    (#"{"maximum_accuracy_m": -1}"#, "maximum_accuracy_m"),
    (#"{"preset": "turbo"}"#, "preset"), (#"{"gpsd": "host:port"}"#, "gpsd"), (#"{"venue": 7}"#, "venue"),
    (#"{"venue": "https://a.example/office"}"#, "venue"), (#"{"venue_refresh": "often"}"#, "venue_refresh"),
    ("{", "tracker.json"),
    ("[]", "tracker.json"), ("", "tracker.json"),
  ])
  func mistakesAreReportedWithTheirPlace(text: String, place: String) throws {
    let error = #expect(throws: TrackerError.self) { try read(text) }
    #expect(error?.description.contains(place) == true, "\(error?.description ?? "")")
    #expect(error?.file?.hasSuffix("tracker.json") == true)
  }

  @Test func aDurationMayOmitItsUnit() throws {
    #expect(try read(#"{"thinning": 7, "flush_after": "90"}"#).monitor.thinning == .seconds(7))
    #expect(try read(#"{"thinning": 7, "flush_after": "90"}"#).monitor.flushAfter == .seconds(90))
  }

  @Test func theEnvironmentTakesPrecedenceOverTheFile() throws {
    var configuration = try read(#"{"venue": "v.cvp", "thinning": "1s", "gpsd": "a:1"}"#)
    try configuration.apply(environment: [
      "CORDON_TRACK_THINNING": "9s", "CORDON_TRACK_VENUE": "/w.cvp", "CORDON_TRACK_SEALED": "no", "CORDON_DATA": "/x",
    ])
    #expect(configuration.monitor.thinning == .seconds(9) && configuration.venues == ["/w.cvp"])
    #expect(!configuration.isSealed && configuration.gpsd == "a:1")
    let error = #expect(throws: TrackerError.self) { try configuration.apply(environment: ["CORDON_TRACK_STOER": "x"]) }
    #expect(error?.description.contains("did you mean 'CORDON_TRACK_STORE'?") == true, "\(error?.description ?? "")")
    let value = #expect(throws: TrackerError.self) {
      try configuration.apply(environment: ["CORDON_TRACK_GPSD": "a:b"])
    }
    #expect(value?.description.contains("CORDON_TRACK_GPSD") == true)
  }

  @Test func aMissingFileIsReported() {
    let error = #expect(throws: TrackerError.self) { try TrackerConfiguration(file: "/nonexistent/tracker.json") }
    #expect(error?.code == "not-found")
  }

  @Test func controlCommandsAreLines() {
    for order in [
      ControlCommand.status, .consent(version: "1 \"ü\"\n", shares: false), .withdraw, .retractEverywhere,
      .consent(version: "2", shares: true, everywhere: true), .trip(isInProgress: true), .activate(code: "A"),
      .pause(for: nil),
      .pause(for: 5_000), .resume, .flush, .export(path: "/tmp/a b"), .personPage(path: "/tmp/c"),
      .checkInForm(path: "/tmp/d"),
    ] {
      #expect(!order.line.contains("\n"))
      #expect(ControlCommand(line: order.line) == order)
    }
    for line in ["", "{}", "status", #"{"erase":{}}"#] { #expect(ControlCommand(line: line) == nil) }
  }

  @Test func theSocketIsPrivateAndAnswersLines() throws {
    let path = folder.path("s.sqlite")
    #expect(ControlSocket.ask(store: path, "x") == nil)
    let socket = try ControlSocket(store: path) { line, reply in reply("<\(line)>") }
    let mode = try FileManager.default.attributesOfItem(atPath: path + ".sock")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let long = String(repeating: "y", count: 100_000)
    #expect(ControlSocket.ask(store: path, "x", within: 3_600) == "<x>")
    #expect(ControlSocket.ask(store: path, long, within: 3_600) == "<\(long)>")
    socket.stop()
    #expect(ControlSocket.ask(store: path, "x") == nil)
    #expect(throws: TrackerError.self) {
      try ControlSocket(store: "/tmp/" + String(repeating: "z", count: 200)) { $1($0) }
    }
  }
}
