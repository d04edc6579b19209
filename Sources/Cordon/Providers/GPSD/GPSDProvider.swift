#if os(Linux)
  package import CordonCore
  public import CordonMonitoring
  import Foundation

  /// Fixes from a gpsd daemon, over its JSON protocol on TCP.
  ///
  /// gpsd cannot watch regions, and saving battery does not matter there. So this provider delivers every fix all the
  /// time, and the monitor decides. It repeats failed and ended connections with growing waits.
  public final class GPSDProvider: LocationProvider {
    /// The address of the daemon.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
      /// A name or an address.
      public var host: String
      /// The port; gpsd's own is 2947.
      public var port: UInt16

      /// Makes an address; by default that of a daemon on this machine.
      public init(host: String = "localhost", port: UInt16 = 2947) {
        self.host = host
        self.port = port
      }

      /// `localhost:2947`
      public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    private let address: Address
    private let endsWithConnection: Bool
    private let firstWait: TimeSpan
    private let silence: TimeSpan
    private let box = GPSDHealthBox()

    /// - Parameters:
    ///   - endsWithConnection: whether ``events()`` ends when gpsd closes the connection, instead of connecting
    ///     again.
    ///   - address: the address of the daemon.
    public convenience init(address: Address = Address(), endsWithConnection: Bool = false) {
      self.init(address: address, endsWithConnection: endsWithConnection, firstWait: .seconds(1))
    }

    /// - Parameters:
    ///   - firstWait: the wait before the second attempt; doubled up to sixty times as long.
    ///   - silence: the silence that ends an epoch: receivers report an epoch in one burst.
    package init(
      address: Address, endsWithConnection: Bool, firstWait: TimeSpan, silence: TimeSpan = .milliseconds(250)
    ) {
      self.address = address
      self.endsWithConnection = endsWithConnection
      self.firstWait = firstWait
      self.silence = silence
    }

    /// The state of the connection, and the last reports.
    public var health: GPSDHealth { box.health }

    /// The current health, and each change by a report or the end of a connection.
    package var healths: AsyncStream<GPSDHealth> { box.changes() }

    /// See ``LocationProvider/issues``.
    public var issues: [MonitorIssue] { health.issue.map { [$0] } ?? [] }

    /// See ``LocationProvider/perform(_:)``; ignores every command.
    public func perform(_ command: ProviderCommand) {}

    /// See ``LocationProvider/events()``.
    public func events() -> AsyncStream<ProviderEvent> {
      let (stream, continuation) = AsyncStream.makeStream(
        of: ProviderEvent.self, bufferingPolicy: .bufferingNewest(1_000))
      let stop = GPSDStop()
      continuation.onTermination = { _ in stop.request() }
      let (address, box) = (address, box)
      let (wait, silence, isOnce) = (firstWait, silence, endsWithConnection)
      let thread = Thread {
        GPSDProvider.run(address, box, stop, firstWait: wait, silence: silence, isOnce: isOnce) {
          continuation.yield(.fix($0))
        }
        continuation.finish()
      }
      thread.name = "gpsd"
      thread.start()
      return stream
    }

    private static func run(
      _ address: Address, _ box: GPSDHealthBox, _ stop: GPSDStop, firstWait: TimeSpan, silence: TimeSpan, isOnce: Bool,
      deliver: (Fix) -> Void
    ) {
      var wait = ReconnectWait(first: firstWait, last: TimeSpan(milliseconds: firstWait.milliseconds * 60))
      while true {
        var heardAnything = false
        do throws(GPSDFailure) {
          let connection = try GPSDConnection(to: address)
          var epochs = GPSDEpochs()
          while !stop.isRequested {
            switch connection.next(within: Int32(clamping: silence.milliseconds)) {
            case .line(let line):
              heardAnything = true
              // An unreadable line is ignored; gpsd adds members and classes now and then.
              guard let report = try? GPSDReport(parsing: line) else { continue }
              box.note(report)
              if let fix = epochs.take(report) { deliver(fix) }
            case .silence:
              for fix in epochs.flush() { deliver(fix) }
            case .end:
              for fix in epochs.flush() { deliver(fix) }
              throw GPSDFailure("gpsd at \(address) closed the connection")
            }
          }
        } catch {
          box.note(failure: error.description)
        }
        if isOnce || stop.isRequested { return }
        if stop.waits(for: wait.next(afterContact: heardAnything)) { return }
      }
    }
  }
#endif
