internal import CPostgres
package import CordonIngest
internal import Foundation

/// Hears the hints of other servers on a database (LISTEN), and sends those of this one (NOTIFY), on a connection of its own.
///
/// Nothing depends on them: without a connection they are lost, and servers look for themselves within a second.
///
/// `@unchecked Sendable` holds because `lock` protects `waiting` and `isStopped`, and everything else is constant.
package final class PostgresHints: StoreHints, @unchecked Sendable {
  /// The channel of all servers.
  package static let channel = "cordon"

  private let address: PostgresAddress
  private let server: String
  private let onHint: @Sendable (StoreHint) -> Void
  private let onEvents: @Sendable ([LiveEvent]) -> Void
  private let lock = NSLock()
  private var waiting: [String] = []
  private var isStopped = false
  /// A byte in it ends the wait of the thread.
  private let alarm: (read: Int32, write: Int32)
  /// The maximum number of messages that wait for a connection.
  private static let maximumWaiting = 64

  /// Starts to listen, in a thread of its own.
  /// - Parameters:
  ///   - address: the database.
  ///   - server: the name of this server, whose own hints are left out.
  ///   - onHint: called when there may be something to do.
  ///   - onEvents: called with what happened at another server.
  package init(
    _ address: PostgresAddress, server: String, onHint: @escaping @Sendable (StoreHint) -> Void,
    onEvents: @escaping @Sendable ([LiveEvent]) -> Void
  ) {
    self.address = address
    self.server = server
    self.onHint = onHint
    self.onEvents = onEvents
    var ends: [Int32] = [-1, -1]
    alarm = pipe(&ends) == 0 ? (ends[0], ends[1]) : (-1, -1)
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    Thread.detachNewThread { [self] in work() }
  }

  deinit {
    for end in [alarm.read, alarm.write] where end >= 0 { close(end) }
  }

  /// See ``StoreHints/send(_:)``. Does not wait.
  package func send(_ events: [LiveEvent]) {
    let messages = HintMessage.messages(of: server, events)
    let isTaken = lock.withLock {
      guard waiting.count + messages.count <= Self.maximumWaiting else { return false }
      waiting += messages
      return true
    }
    if isTaken { ring() }
  }

  /// See ``StoreHints/stop()``.
  package func stop() {
    lock.withLock { isStopped = true }
    ring()
  }

  private func ring() {
    var byte: UInt8 = 0
    _ = write(alarm.write, &byte, 1)
  }

  private var isOver: Bool { lock.withLock { isStopped } }

  private func work() {
    var pause = Duration.milliseconds(100)
    while !isOver {
      do throws(StoreFault) {
        let connection = try PostgresConnection(address, patience: .seconds(10))
        try connection.script("LISTEN \(Self.channel)")
        pause = .milliseconds(100)
        // Messages of the time before are lost.
        onHint(.leases)
        try listen(connection)
      } catch {
        // Messages of the time without a connection are old when there is one.
        lock.withLock { waiting.removeAll() }
        wait(for: -1, pause)
        pause = min(pause * 2, .seconds(2))
      }
    }
  }

  private func listen(_ connection: PostgresConnection) throws(StoreFault) {
    while !isOver {
      let messages = lock.withLock {
        defer { waiting.removeAll() }
        return waiting
      }
      for message in messages {
        try connection.post("SELECT pg_notify($1, $2)", [.text(Self.channel), .text(message)])
      }
      try connection.settle()
      var hinted: Set<StoreHint> = []
      for text in try connection.notifications() {
        switch HintMessage(text, of: server) {
        case .hint(let hint): hinted.insert(hint)
        case .events(let events): onEvents(events)
        case nil: break
        }
      }
      // The first includes the second.
      if hinted.contains(.leases) { onHint(.leases) } else if hinted.contains(.lateRows) { onHint(.lateRows) }
      wait(for: connection.descriptor, .seconds(30))
    }
  }

  /// Waits until something can be read from a descriptor, the alarm rings, or a time passes.
  private func wait(for descriptor: Int32, _ limit: Duration) {
    var list = [
      pollfd(fd: alarm.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000
    _ = poll(&list, 2, Int32(clamping: milliseconds))
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(alarm.read, &bytes, bytes.count) > 0 {}
  }
}

extension PostgresConnection {
  /// The socket.
  var descriptor: Int32 { PQsocket(handle) }

  /// The texts of notifications that have arrived.
  func notifications() throws(StoreFault) -> [String] {
    guard PQconsumeInput(handle) == 1 else { throw lost("the connection ended") }
    var texts: [String] = []
    while let notification = PQnotifies(handle) {
      if let text = notification.pointee.extra { texts.append(String(cString: text)) }
      PQfreemem(notification)
    }
    return texts
  }
}
