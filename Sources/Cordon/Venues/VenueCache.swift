public import CordonCore
public import CordonGeometry
public import Foundation

/// Packed venues from a server, kept in a folder: asked for by ETag, so that nothing is fetched twice, and never given
/// up for something worse: what cannot be fetched or read leaves the last good one in place.
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
    /// The server could not be asked, or answered nothing usable: the last good one. The text says why.
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
    /// Which one, why, and what to do.
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

  /// Asks the server whether there is another one than the folder has.
  ///
  /// - Parameters:
  ///   - venue: the venue.
  ///   - keeping: whether what the server sends is written into the folder; `false` only looks.
  public func refresh(_ venue: VenueID, keeping: Bool = true) async throws(Failure) -> Answer {
    let known = cached(venue)
    var headers = ["accept": "application/octet-stream"]
    // A tag without a readable venue beside it would be answered with nothing.
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
        // A venue that could not be written is still a good one, and is fetched again the next time.
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
      // The old tag goes first and the new one comes last: a crash in between costs a fetch, never a wrong "unchanged".
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
