internal import CordonCore
internal import CordonIngest
internal import NIOConcurrencyHelpers

/// The devices of a venue that became silent within a window of time.
struct SilentDevices: Hashable, Sendable {
  /// The venue.
  var venue: VenueID
  /// How many there are.
  var count: Int64 = 0
  /// The first of them by name, at most ``maximumNames``.
  var devices: [DeviceID] = []

  /// The maximum number of names of a venue.
  static let maximumNames = 1_000
  /// The number of devices that one step reads.
  static let pageSize = 500
}

/// Looks for devices whose last sign of life lies in a window, page by page.
struct SilenceSearch {
  private let window: Range<Instant>
  private var venues: [VenueID]
  private var after = ""
  private var found: [SilentDevices] = []
  private var current: SilentDevices?

  /// - Parameters:
  ///   - venues: the venues, in order.
  ///   - window: the times of the last signs of life.
  init(venues: [VenueID], window: Range<Instant>) {
    self.venues = venues.reversed()
    self.window = window
  }

  /// Reads the next page; returns all findings after the last one, and `nil` before.
  mutating func advance(from store: any PositionStore) throws(StoreFault) -> [SilentDevices]? {
    guard let venue = venues.last else { return found }
    var silent = current ?? SilentDevices(venue: venue)
    let page = try store.devices(in: venue, prefix: "", after: after, limit: SilentDevices.pageSize)
    for device in page where window.contains(device.lastSeen) {
      silent.count += 1
      if silent.devices.count < SilentDevices.maximumNames { silent.devices.append(device.id) }
    }
    if page.count == SilentDevices.pageSize, let last = page.last {
      after = last.id.rawValue
      current = silent
    } else {
      if silent.count > 0 { found.append(silent) }
      venues.removeLast()
      after = ""
      current = nil
    }
    return venues.isEmpty ? found : nil
  }
}

extension Reader {
  /// The name under which the server's own feeds take turns with operators.
  private static let feed = Query.Asker.operator("server-feed")

  /// Reads for the server itself, step by step, between the queries of operators.
  /// - Parameter step: one step; `nil` for more steps.
  /// - Returns: the value of the last step; `nil` when it took too long or the store failed.
  func feed<Value: Sendable>(
    _ step: @escaping @Sendable (any PositionStore) throws(StoreFault) -> Value?
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let job = ReadingLane.Job(limit: .seconds(60), isGone: { false }) { store in
        do throws(StoreFault) {
          guard let value = try step(store) else { return false }
          continuation.resume(returning: value)
        } catch {
          continuation.resume(returning: nil)
        }
        return true
      } onBreak: {
        continuation.resume(returning: nil)
      }
      if !operators.add(job, of: Self.feed) { continuation.resume(returning: nil) }
    }
  }

  /// The latest closed bins of venues that start at given times or later, at most a day of each.
  /// - Parameter starts: the start of the first bin of each venue; `nil` for the latest bin alone.
  func bins(of venues: [(venue: VenueID, from: Instant?)]) async -> [ViewerBin] {
    await feed { store throws(StoreFault) in try ViewerBin.read(from: store, venues, limit: 96) } ?? []
  }

  /// The devices that became silent within a window; `nil` when the store could not be read.
  func silentDevices(of venues: [VenueID], window: Range<Instant>) async -> [SilentDevices]? {
    let search = NIOLockedValueBox(SilenceSearch(venues: venues, window: window))
    return await feed { store throws(StoreFault) in
      var state = search.withLockedValue { $0 }
      defer { search.withLockedValue { [state] in $0 = state } }
      return try state.advance(from: store)
    }
  }
}
