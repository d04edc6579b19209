package import Cordon
package import CordonCore
package import CordonGeometry
package import Foundation

/// The venues of a tracker: maps in files and packed venues of servers.
///
/// Files are read once. Servers are asked again and again with an ETag, and their venues are stored beside the
/// tracker's store. A gateway that starts without a network thus has the last valid version.
package actor TrackerVenues {
  /// The result of a request for one venue.
  package struct VenueUpdate: Hashable, Sendable {
    package var address: VenueAddress
    /// The state of the venue; `nil` if neither the server nor the cache has one.
    package var freshness: VenueCache.Freshness?
    /// A message about an error or a new version; `nil` if nothing changed.
    package var sentence: String?
  }

  private enum Source {
    case file(PackedVenueGate)
    case server(VenueAddress, VenueCache, PackedVenueGate?)
  }

  private var sources: [Source]
  /// Errors of the maps that do not prevent their use.
  package nonisolated let remarks: [String]
  /// Whether venues from servers are stored.
  private let isKeeping: Bool
  /// The last message about each venue, so that it is not repeated.
  private var told: [VenueAddress: String] = [:]

  /// Reads the files and the stored venues of servers, without any request.
  ///
  /// - Parameters:
  ///   - names: paths and addresses. Two of the same venue are an error because positions would belong to both.
  ///   - folder: the folder for the venues of servers; `nil` stores none.
  ///   - keeping: whether venues from servers are stored in the folder.
  ///   - transport: the transport for requests.
  package init(
    _ names: [String], folder: URL?, keeping: Bool = true,
    transport: any HTTPTransport = URLSessionTransport(timeout: 15)
  ) async throws(TrackerError) {
    isKeeping = keeping && folder != nil
    var sources: [Source] = []
    var remarks: [String] = []
    var known: Set<VenueID> = []
    for name in names {
      let venue: VenueID
      if VenueAddress.isAddress(name) {
        let address = try VenueAddress(name)
        venue = address.venue
        let cache = VenueCache(
          server: address.server, folder: folder ?? URL(fileURLWithPath: "/nonexistent"), transport: transport)
        sources.append(.server(address, cache, folder == nil ? nil : await cache.cached(venue)))
      } else {
        let (packed, new) = try TrackerVenue.load(name)
        venue = packed.venue
        remarks += new.map { "\(name): \($0)" }
        sources.append(.file(PackedVenueGate(packed)))
      }
      guard known.insert(venue).inserted else {
        throw TrackerError("two-venues", "\(venue) is named twice", file: name)
      }
    }
    self.sources = sources
    self.remarks = remarks
  }

  /// The available venues in the order of their names in the configuration.
  package var gates: [PackedVenueGate] {
    sources.compactMap { source in
      switch source {
      case .file(let gate): gate
      case .server(_, _, let gate): gate
      }
    }
  }

  /// Whether there are venues of servers.
  package var hasServers: Bool {
    sources.contains { if case .server = $0 { true } else { false } }
  }

  /// Requests every venue of a server, and returns one result for each.
  package func ask() async -> [VenueUpdate] {
    var updates: [VenueUpdate] = []
    for index in sources.indices {
      guard case .server(let address, let cache, _) = sources[index] else { continue }
      do throws(VenueCache.Failure) {
        let answer = try await cache.refresh(address.venue, keeping: isKeeping)
        sources[index] = .server(address, cache, answer.gate)
        let sentence: String?
        switch answer.freshness {
        case .renewed: sentence = "venue \(address) is fetched"
        case .unchanged: sentence = nil
        case .kept(let reason): sentence = "venue \(address): \(reason); the last good one is used"
        }
        updates.append(VenueUpdate(address: address, freshness: answer.freshness, sentence: sentence))
      } catch {
        updates.append(VenueUpdate(address: address, freshness: nil, sentence: error.description))
      }
    }
    return updates
  }

  /// Keeps a monitor's venues current until the task is cancelled.
  ///
  /// - Parameters:
  ///   - monitor: the monitor that uses the venues.
  ///   - span: the interval of requests; `nil` to stop when every venue is there. Missing venues are requested at least
  ///     once a minute.
  ///   - tell: called with each new message.
  package func follow(_ monitor: ContactMonitor, every span: TimeSpan?, report: @Sendable (String) -> Void) async {
    guard hasServers else { return }
    var wait = ReconnectWait(first: .seconds(1), last: .minutes(1))
    while true {
      for item in await ask() where told[item.address] != item.sentence || item.freshness == .renewed {
        told[item.address] = item.sentence
        if let sentence = item.sentence { report(sentence) }
        guard item.freshness == .renewed else { continue }
        await monitor.know(gates)
        if await monitor.status.venue == nil, let first = gates.first { await monitor.use(first) }
      }
      let isComplete = gates.count == sources.count
      guard let pause = isComplete ? span : wait.next(afterContact: false),
        (try? await Task.sleep(for: .milliseconds(max(pause, .seconds(1)).milliseconds))) != nil
      else { return }
    }
  }
}
