package import Cordon
package import CordonCore
package import CordonGeometry
package import Foundation

/// The venues of a tracker: maps in files, which are read once, and those that servers hand out, which are asked for by
/// ETag again and again and kept beside the store, so that a box that starts without a network has the last good ones.
package actor TrackerVenues {
  /// What a server said of its venue.
  package struct News: Hashable, Sendable {
    package var address: VenueAddress
    /// `nil` when there is none: neither at the server nor here.
    package var freshness: VenueCache.Freshness?
    /// For people: what is wrong, or what is new; `nil` when nothing changed.
    package var sentence: String?
  }

  private enum Source {
    case file(PackedVenueGate)
    case server(VenueAddress, VenueCache, PackedVenueGate?)
  }

  private var sources: [Source]
  /// What is wrong with the maps, though they can be used.
  package nonisolated let remarks: [String]
  /// Whether what servers send is kept.
  private let isKeeping: Bool
  /// What was last said of each, so that it is not said again.
  private var told: [VenueAddress: String] = [:]

  /// Reads the files, and what is kept of servers; asks nobody.
  ///
  /// - Parameters:
  ///   - names: paths and addresses; no two of the same venue, as positions would be those of either.
  ///   - folder: where the venues of servers are kept; `nil` keeps none.
  ///   - keeping: whether what servers send is kept in the folder.
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

  /// The venues that there are, in the order of their names.
  package var gates: [PackedVenueGate] {
    sources.compactMap { source in
      switch source {
      case .file(let gate): gate
      case .server(_, _, let gate): gate
      }
    }
  }

  /// Whether servers are asked at all.
  package var hasServers: Bool {
    sources.contains { if case .server = $0 { true } else { false } }
  }

  /// Asks every server whether it has another venue than the one that is here.
  package func ask() async -> [News] {
    var news: [News] = []
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
        news.append(News(address: address, freshness: answer.freshness, sentence: sentence))
      } catch {
        news.append(News(address: address, freshness: nil, sentence: error.description))
      }
    }
    return news
  }

  /// Keeps a monitor's venues current until the task is cancelled.
  ///
  /// - Parameters:
  ///   - span: how often servers are asked; `nil` only until every venue is there, which is tried within a minute each time.
  ///   - tell: is given a sentence when something new is to be said.
  package func follow(_ monitor: ContactMonitor, every span: TimeSpan?, tell: @Sendable (String) -> Void) async {
    guard hasServers else { return }
    var wait = ReconnectWait(first: .seconds(1), last: .minutes(1))
    while true {
      for item in await ask() where told[item.address] != item.sentence || item.freshness == .renewed {
        told[item.address] = item.sentence
        if let sentence = item.sentence { tell(sentence) }
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
