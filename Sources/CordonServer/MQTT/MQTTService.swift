internal import CordonCore
internal import CordonIngest
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// Publishes occupancy to a broker and takes positions of OwnTracks from it, while the server runs.
struct MQTTService: Service {
  let connection: MQTTConnection
  let settings: MQTTSettings
  let logger: Logger
  /// The venues with the spaces that viewers may see.
  let venues: @Sendable () -> [OccupancyMessages.Venue]
  /// The latest closed bins of venues.
  let bins: @Sendable ([VenueID]) async -> [ViewerBin]
  /// Handles a request as if it came over HTTP; returns the status of the answer.
  let handle: @Sendable (IngestRequest) async -> Int
  /// The waits between attempts to connect.
  var schedule = RetrySchedule(first: .seconds(1), longest: .minutes(1))
  /// The time between two looks for new bins and venues.
  var pause = Duration.seconds(15)

  /// The time after which a connection counts as one that worked.
  static let steady = TimeSpan.minutes(1)

  private var messages: OccupancyMessages {
    OccupancyMessages(topic: settings.topic, discovery: settings.discovery)
  }

  private var inlet: OwnTracksInlet? { settings.ownTracks.map { OwnTracksInlet(base: $0) } }

  func run() async throws { await cancelWhenGracefulShutdown { await connect() } }

  private func connect() async {
    var configuration = MQTTSession.Configuration(
      client: settings.client, user: settings.user, password: settings.password, will: messages.status(isOnline: false))
    if let inlet { configuration.filters = [inlet.filter] }
    let refusals = RefusalLog(logger: logger)
    var failures = 0
    while !Task.isCancelled {
      let begin = NIODeadline.now()
      do {
        try await connection.run(configuration) { message, isCut in
          try await take(message, isCut: isCut, refusals)
        } work: { publish in
          logger.info("broker connected")
          try await self.publish(publish)
        }
      } catch {
        guard !Task.isCancelled else { return }
        let seconds = (NIODeadline.now() - begin).nanoseconds / 1_000_000_000
        failures = seconds > Self.steady.milliseconds / 1_000 ? 1 : failures + 1
        logger.warning(
          "broker not connected", metadata: ["reason": "\(Self.text(of: error))", "attempt": "\(failures)"])
      }
      let wait = schedule.wait(after: failures, jitter: Double.random(in: 0..<1))
      try? await Task.sleep(for: .milliseconds(wait.milliseconds))
    }
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let fault as MQTTFault: fault.description
    case is NIOConnectionError: "no connection"
    default: "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  // MARK: Occupancy

  /// Publishes everything once, and then what changes.
  private func publish(_ publish: MQTTConnection.Publish) async throws {
    let messages = messages
    try await publish(messages.status(isOnline: true))
    var known: [VenueID: (venue: OccupancyMessages.Venue, bin: Instant?)] = [:]
    while true {
      let venues = venues()
      for id in known.keys.sorted() where !venues.contains(where: { $0.id == id }) {
        let spaces = known.removeValue(forKey: id)?.venue.spaces.map(\.id) ?? []
        for message in messages.removals(of: spaces, in: id) { try await publish(message) }
      }
      for venue in venues where known[venue.id]?.venue != venue {
        let former = known[venue.id]?.venue.spaces.map(\.id) ?? []
        let gone = former.filter { id in !venue.spaces.contains { $0.id == id } }
        for message in messages.removals(of: gone, in: venue.id) { try await publish(message) }
        for message in messages.descriptions(of: venue) { try await publish(message) }
        known[venue.id] = (venue, nil)
      }
      for bin in await bins(venues.map(\.id)) {
        guard let entry = known[bin.venue], entry.bin != bin.start else { continue }
        for message in messages.states(of: entry.venue, in: bin) { try await publish(message) }
        known[bin.venue]?.bin = bin.start
      }
      try await Task.sleep(for: pause)
    }
  }

  // MARK: OwnTracks

  /// Handles a message. A message that cannot be stored now breaks the connection: the broker sends it again after the next one.
  private func take(_ message: MQTTMessage, isCut: Bool, _ refusals: RefusalLog) async throws {
    guard !isCut, let request = inlet?.request(of: message) else { return refusals.count() }
    switch OwnTracksInlet.outcome(ofStatus: await handle(request)) {
    case .taken: break
    case .refused: refusals.count()
    case .later: throw MQTTFault("the server cannot store at the moment")
    }
  }
}

/// Counts refused messages, and logs their number at most once a minute. Topics are not logged: they name devices and secrets.
private final class RefusalLog: Sendable {
  private let logger: Logger
  private let sum = MinuteSum()

  init(logger: Logger) { self.logger = logger }

  func count() {
    guard let count = sum.add(1, at: .now()) else { return }
    logger.warning("messages of OwnTracks refused", metadata: ["count": "\(count)"])
  }
}
