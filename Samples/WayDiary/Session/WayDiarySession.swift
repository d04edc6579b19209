import Cordon
import CordonCore
import CordonMonitoring
import CordonPresence
import CordonStorage
import Foundation

/// The model of the sample's screens: one monitor, the person's own file, and the settings of the app.
@MainActor
final class WayDiarySession {
  /// The texts that people agree to, each with a version.
  static let consentVersion = "2026-11"
  static let everywhereText = """
    This diary records where you are, everywhere, while tracking is on. Your own copy stays on this phone. A receiver that you \
    enter gets a copy too. You can stop at any time; what was recorded outside of venues is then deleted on this phone.
    """

  /// The places of the app's files.
  struct Files {
    var store: URL
    var diary: URL
    var settings: URL

    /// Files in one folder.
    init(in folder: URL) {
      store = folder.appendingPathComponent("cordon.sqlite")
      diary = folder.appendingPathComponent("diary.jsonl")
      settings = folder.appendingPathComponent("settings.json")
    }
  }

  /// A destination of the person's positions, as the screen of data sources shows it.
  struct Destination: Equatable {
    var name: String
    var waiting: Int
    var canErase: Bool
  }

  private(set) var status: MonitorStatus?
  private(set) var settings = DiarySettings()
  private(set) var diary = PersonDiary()
  /// Called when something has changed.
  var onChange: () -> Void = {}

  private var files: Files?
  private var monitor: ContactMonitor?
  private var receiver: SinkEndpoint?
  private var transport: any HTTPTransport = URLSessionTransport()
  private var format = OverlandFormat()
  private let tripReport = TripReport()
  /// The offset of the person's clock from UTC.
  var offset = TimeSpan.seconds(Int64(TimeZone.current.secondsFromGMT()))

  /// The monitor, for background moments.
  var current: ContactMonitor? { monitor }

  /// The policy of the diary: positioning that pauses where the person stays.
  static var policy: TrackingPolicy {
    var policy = TrackingPolicy(preset: .balanced)
    policy.recordsVisits = true
    policy.staleAfter = .hours(1)
    return policy
  }

  /// Opens the files; records nothing without consent.
  func open(
    _ files: Files, provider: any LocationProvider, sensors: Sensors = Sensors(),
    transport: any HTTPTransport = URLSessionTransport()
  ) async throws {
    self.transport = transport
    self.files = files
    settings = DiarySettings.read(files.settings)
    let own = SinkEndpoint(.file, url: files.diary)
    var endpoints = [own]
    var sinks = [Sink(own.id, purposes: [.record, .everywhere])]
    if let url = settings.receiver {
      format.trip = { [tripReport] in tripReport.follow($0) }
      let endpoint = SinkEndpoint(format, url: url, token: settings.receiverToken)
      receiver = endpoint
      endpoints.append(endpoint)
      sinks.append(Sink(endpoint.id, purposes: [.record, .everywhere]))
    }
    var configuration = MonitorConfiguration()
    configuration.sinks = sinks
    configuration.everywhere = Self.policy
    configuration.flushAfter = .minutes(1)
    let monitor = try ContactMonitor(
      venue: nil, endpoints: endpoints, provider: provider, sensors: sensors,
      store: try SQLiteStore(path: files.store.path), configuration: configuration, transport: transport)
    self.monitor = monitor
    if let trip = settings.trip { tripReport.begin(trip.mode, at: Instant(milliseconds: trip.start)) }
    await monitor.start()
    if settings.trip != nil { await monitor.noteTrip(isInProgress: true) }
    await refresh()
  }

  /// Shows every change of the status, until the monitor ends.
  func follow() async {
    guard let monitor else { return }
    for await status in monitor.statusUpdates { show(status) }
  }

  // MARK: Tracker

  /// One sentence about the state, and what to do about it.
  var sentence: String { status?.sentence ?? "Loading." }
  var remedy: String? { status?.remedy }

  var guide: PermissionGuide {
    PermissionGuide(consent: status?.consent, permission: status?.permission ?? .none)
  }

  // MARK: Consents

  /// The person has read ``everywhereText`` and agrees.
  func agree() async throws {
    guard let monitor else { return }
    let purposes: Consent.Purposes = [.record, .share, .everywhere]
    try await monitor.consent(to: Consent(version: Self.consentVersion, purposes: purposes, time: monitor.now.wall))
    await refresh()
  }

  /// The person takes back the consent for places outside of venues; the diary goes with it.
  func stopEverywhere() async {
    await monitor?.retract(.everywhere)
    tripReport.forget()
    DiaryFile(url: files?.diary ?? URL(fileURLWithPath: "/dev/null")).erase()
    await refresh()
  }

  // MARK: Trips

  /// Starts a trip; the app keeps it across launches.
  func startTrip(_ mode: String) async throws {
    guard let monitor, status?.consent != nil else { return }
    let start = monitor.now.wall
    settings.trip = .init(mode: mode, start: start.milliseconds)
    try save()
    tripReport.begin(mode, at: start)
    await monitor.noteTrip(isInProgress: true)
    await refresh()
  }

  /// Stops the trip and returns it; `nil` without one.
  func stopTrip() async throws -> PersonDiary.Trip? {
    guard let monitor, let trip = settings.trip else { return nil }
    await monitor.drain(within: .seconds(2))
    await refresh()
    settings.trip = nil
    try save()
    await monitor.noteTrip(isInProgress: false)
    await report(tripReport.end(at: monitor.now.wall))
    return diary.trip(trip.mode, from: Instant(milliseconds: trip.start), until: monitor.now.wall)
  }

  /// Sends an ended trip to the receiver, if the person still agrees to that. The sample tries once; an app keeps it until the
  /// receiver has accepted it.
  private func report(_ trip: TripReport.Record?) async {
    let purposes = status?.consent?.purposes ?? []
    guard let trip, let receiver, purposes.isSuperset(of: [.record, .share, .everywhere]) else { return }
    _ = await format.report(
      tripOf: trip.mode, from: trip.start, until: trip.end, distance: trip.distance, first: trip.first,
      last: trip.last, to: receiver, over: transport)
  }

  // MARK: Home

  /// The radii of the home picker in metres.
  static let radii = Array(stride(from: 50.0, through: 500, by: 50))

  /// Sets a home from now on; earlier days keep theirs.
  func moveHome(to coordinate: Coordinate, radius: Double) async throws {
    var probe = PersonDiary()
    try probe.addHome(coordinate, radius: radius)
    let from = settings.homes.isEmpty ? nil : monitor?.now.wall.milliseconds
    settings.homes.append(
      .init(longitude: coordinate.longitude, latitude: coordinate.latitude, radius: radius, from: from))
    try save()
    await refresh()
  }

  // MARK: Data

  /// Where positions go, and how many wait.
  var destinations: [Destination] {
    (status?.queues ?? []).map { queue in
      Destination(
        name: queue.sink == .file ? "This phone" : receiver?.url.host ?? "\(queue.sink)", waiting: queue.pending,
        canErase: queue.sink == .file)
    }
  }

  /// Returns the changes that a setup link would make, for the person to read first. The receiver is used from the next launch on.
  func changes(of link: String) throws -> [(name: String, old: String, new: String)] {
    let old = receiver ?? SinkEndpoint(.overland, url: URL(fileURLWithPath: "/"))
    return try old.applying(setupLink: link).changes
  }

  /// Applies a setup link that the person has confirmed.
  func apply(_ link: String) throws {
    let old = receiver ?? SinkEndpoint(.overland, url: URL(fileURLWithPath: "/"))
    let endpoint = try old.applying(setupLink: link).endpoint
    settings.receiver = endpoint.url
    settings.receiverToken = endpoint.token
    try save()
  }

  /// All data about the person on this phone, as JSON.
  func export() async throws -> Data { Data(try await monitor?.exportMyData() ?? []) }

  private func save() throws { if let files { try settings.write(files.settings) } }

  /// Reads the status and the diary anew.
  func refresh() async {
    if let files {
      var diary = DiaryFile(url: files.diary).diary(offset: offset)
      for home in settings.homes {
        try? diary.addHome(
          Coordinate(longitude: home.longitude, latitude: home.latitude), radius: home.radius,
          from: home.from.map { Instant(milliseconds: $0) })
      }
      self.diary = diary
    }
    guard let status = await monitor?.status else { return }
    show(status)
  }

  private func show(_ status: MonitorStatus) {
    self.status = status
    onChange()
  }
}
