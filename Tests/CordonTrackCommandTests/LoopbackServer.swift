import CordonCore
import CordonTestSupport
import CordonWire
import Foundation
import Glibc

/// A /v1 server on a port of loopback, over real HTTP: activation, token, positions, consent, erasure.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
final class LoopbackServer: @unchecked Sendable {
  struct Request {
    var method: String
    var path: String
    var headers: [String: String]
    var body: [UInt8]
  }

  let port: UInt16
  private let listener: Int32
  private let lock = NSLock()
  private var kept: [FixID: Location] = [:]
  private var seen: [String] = []
  private var repeats = 0
  private var isDownNow = false
  private var venues: [String: (tag: String, body: [UInt8])] = [:]
  private var redirection: (status: Int, address: String)?
  private var readers: [AsyncStream<Int>.Continuation] = []

  init() throws {
    (listener, port) = try Loopback.listen()
    let thread = Thread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        Thread { self.serve(client) }.start()
      }
    }
    thread.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var address: String { "http://127.0.0.1:\(port)" }
  var rows: [Location] { lock.withLock { kept.values.sorted { $0.id < $1.id } } }
  /// The number of rows, now and after each change.
  var counts: AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    lock.withLock {
      readers.append(continuation)
      continuation.yield(kept.count)
    }
    return stream
  }
  /// `METHOD path` of every request that was answered.
  var requests: [String] { lock.withLock { seen } }
  /// Repeated rows.
  var knownCount: Int { lock.withLock { repeats } }
  /// While it is down, it closes connections without an answer.
  var isDown: Bool {
    get { lock.withLock { isDownNow } }
    set { lock.withLock { isDownNow = newValue } }
  }

  /// Answers every request with this redirect, if there is one.
  var redirect: (status: Int, address: String)? {
    get { lock.withLock { redirection } }
    set { lock.withLock { redirection = newValue } }
  }

  /// Serves a packed venue from now on.
  func serve(venue body: [UInt8], as name: String, tag: String) {
    lock.withLock { venues["/v1/venues/\(name)/packed"] = (tag, body) }
  }

  private func serve(_ client: Int32) {
    defer { close(client) }
    var pending: [UInt8] = []
    while let request = read(client, &pending) {
      if isDown { return }
      let venue = lock.withLock { venues[request.path] }
      let isKnown = venue.map { $0.tag == request.headers["if-none-match"] } ?? false
      let redirect = redirect
      let served = venue.map { isKnown ? (304, []) : (200, $0.body) }
      let (status, body) = redirect.map { ($0.status, []) } ?? served ?? answer(request)
      var fields = venue.map { "etag: \($0.tag)\r\n" } ?? ""
      if let redirect {
        lock.withLock { seen.append("\(request.method) \(request.path)") }
        fields = "location: \(redirect.address)\r\n"
      }
      if let proof = proof(of: request, status, body) { fields += "\(AnswerProof.header): \(proof)\r\n" }
      let head =
        "HTTP/1.1 \(status) X\r\ncontent-type: application/json\r\n\(fields)content-length: \(body.count)\r\n\r\n"
      let bytes = Array(head.utf8) + body
      guard bytes.withUnsafeBytes({ send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) == bytes.count
      else { return }
    }
  }

  /// The proof of an answer: with the code or the secret of the request, or with the secret of its device.
  private func proof(of request: Request, _ status: Int, _ body: [UInt8]) -> String? {
    guard let nonce = request.headers[AnswerProof.nonceHeader] else { return nil }
    let members = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    let carried = members?["code"] as? String ?? members?["secret"] as? String
    return AnswerProof.value(
      secret: carried ?? "s3cret", nonce: nonce, method: request.method, path: request.path, status: status, body: body)
  }

  private func answer(_ request: Request) -> (Int, [UInt8]) {
    lock.withLock { seen.append("\(request.method) \(request.path)") }
    if request.path.hasSuffix("/health") { return (200, Array("{}".utf8)) }
    if request.path.hasSuffix("/activate") { return (200, Array(#"{"secret":"s3cret"}"#.utf8)) }
    if request.path.hasSuffix("/token") {
      let end = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
      return (200, Array(#"{"token":"t0ken","expires":\#(end)}"#.utf8))
    }
    if request.path.hasSuffix("/v1/forms"), request.headers["authorization"] == "Bearer t0ken" {
      return (200, Array(#"{"forms":[{"form":"screening","at_check_in":true}]}"#.utf8))
    }
    if request.path.hasSuffix("/page-code"), request.headers["authorization"] == "Bearer t0ken" {
      return (201, Array(#"{"code":"7QK2MMWD"}"#.utf8))
    }
    if request.method == "DELETE", let device = request.path.split(separator: "/").last {
      return (200, Array(#"{"device": "\#(device)", "erased": 1767254400000, "locations": 0}"#.utf8))
    }
    guard request.path.hasSuffix("/v1/positions") else { return (200, Array("{}".utf8)) }
    guard request.headers["authorization"] == "Bearer t0ken" else { return (401, []) }
    let isPacked = request.headers["content-encoding"] == "gzip"
    guard let body = isPacked ? try? Gzip.decompress(request.body, limit: 1 << 24) : request.body,
      let batch = try? PositionBatch.decode(body)
    else { return (400, []) }
    return lock.withLock {
      let answers = batch.map { row -> PositionAnswers.Answer in
        guard case .location(let location) = row else { return .init(id: nil, status: .refused(reason: "fault")) }
        let isNew = kept.updateValue(location, forKey: location.id) == nil
        if !isNew { repeats += 1 }
        return .init(id: location.id, status: isNew ? .stored : .known)
      }
      for reader in readers { reader.yield(kept.count) }
      return (207, PositionAnswers.encode(answers))
    }
  }

  private func read(_ client: Int32, _ pending: inout [UInt8]) -> Request? {
    let blank = Array("\r\n\r\n".utf8)
    while true {
      if let end = pending.indices.first(where: { pending[$0...].starts(with: blank) }) {
        let lines = String(decoding: pending[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let first = lines[0].split(separator: " ").map(String.init)
        guard first.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap(Int.init) ?? 0
        if pending.count >= end + 4 + length {
          let body = Array(pending[(end + 4)..<(end + 4 + length)])
          pending.removeFirst(end + 4 + length)
          return Request(method: first[0], path: first[1], headers: headers, body: body)
        }
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      pending.append(contentsOf: buffer[0..<count])
    }
  }
}
