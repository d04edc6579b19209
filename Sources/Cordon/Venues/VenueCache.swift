public import CordonCore
public import CordonGeometry
public import Foundation

/// Packed venues of a server, cached in a folder. Requests carry the ETag, so that nothing is fetched twice. A venue
/// that cannot be fetched or read never replaces the last good one.
///
/// ```swift
/// let venues = VenueCache(server: url, folder: caches)
/// await monitor.use(try await venues.refresh(venue).gate)
/// ```
public actor VenueCache {
  /// The outcome of a refresh.
  public enum Freshness: Hashable, Sendable {
    /// The server's venue is new or differs from the folder's.
    case renewed
    /// The server's venue equals the folder's.
    case unchanged
    /// The server did not answer, or its answer was unusable; this is the last good venue. The text names the reason.
    case kept(reason: String)
  }

  /// A venue and its origin.
  public struct Answer: Sendable {
    /// The gate of the venue.
    public var gate: PackedVenueGate
    /// The origin of the venue.
    public var freshness: Freshness
  }

  /// The error for a venue that neither the server nor the folder has.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The venue, the reason and the remedy.
    public var description: String
  }

  private let server: URL
  private let folder: URL
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - server: the root of a Cordon server.
  ///   - folder: the folder of stored venues; created if it does not exist.
  ///   - transport: sends messages over HTTP.
  public init(server: URL, folder: URL, transport: any HTTPTransport = URLSessionTransport()) {
    self.server = server
    self.folder = folder
    self.transport = transport
  }

  /// Returns the last fetched venue, or `nil` without one. Sends no request.
  public func cached(_ venue: VenueID) -> PackedVenueGate? {
    guard let data = try? Data(contentsOf: file(venue, "packed")) else { return nil }
    return try? VenueCache.gate(Array(data), venue)
  }

  /// Asks the server for a newer version than the cached one.
  ///
  /// - Parameters:
  ///   - venue: the venue.
  ///   - keeping: whether to write the server's version into the folder; `false` only compares.
  public func refresh(_ venue: VenueID, keeping: Bool = true) async throws(Failure) -> Answer {
    let known = cached(venue)
    var headers = ["accept": "application/octet-stream"]
    // An ETag without a readable venue would get an answer without a body.
    if known != nil, let tag = try? String(contentsOf: file(venue, "etag"), encoding: .utf8) {
      headers["if-none-match"] = tag
    }
    let url = ["v1", "venues", venue.rawValue, "packed"].reduce(server) { $0.appendingPathComponent($1) }
    let answer = await transport.send(HTTPRequest(method: "GET", url: url, headers: headers, body: []))
    let reason: String
    switch answer.status {
    case 304:
      if let known { return Answer(gate: known, freshness: .unchanged) }
      reason = "the server says that nothing changed, but there is nothing here"
    case 200..<300:
      do {
        let gate = try VenueCache.gate(answer.body, venue)
        // A venue that could not be written is still good, and is fetched again the next time.
        if keeping { keep(answer, as: venue) }
        return Answer(gate: gate, freshness: .renewed)
      } catch {
        reason = "what the server sent is not that venue: \(error)"
      }
    case 0: reason = "the server did not answer"
    default: reason = answer.failure ?? "the server answered \(answer.status)"
    }
    guard let known else {
      throw Failure(
        description: "venue \(venue): \(reason), and none is kept. Check the server's address and the name.")
    }
    return Answer(gate: known, freshness: .kept(reason: reason))
  }

  private func keep(_ answer: HTTPResponse, as venue: VenueID) {
    let manager = FileManager.default
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      // Removes the old tag first and writes the new one last: a crash in between costs a fetch, never a wrong
      // "unchanged".
      try? manager.removeItem(at: file(venue, "etag"))
      try Data(answer.body).write(to: file(venue, "packed"), options: .atomic)
      if let tag = answer.headers["etag"] { try Data(tag.utf8).write(to: file(venue, "etag"), options: .atomic) }
    } catch {
      return
    }
  }

  private func file(_ venue: VenueID, _ kind: String) -> URL {
    folder.appendingPathComponent("\(venue.rawValue).\(kind)")
  }

  private static func gate(_ bytes: [UInt8], _ venue: VenueID) throws -> PackedVenueGate {
    let packed = try PackedVenue(decoding: bytes)
    guard packed.venue == venue else { throw Failure(description: "it is \(packed.venue)") }
    return PackedVenueGate(packed)
  }
}
