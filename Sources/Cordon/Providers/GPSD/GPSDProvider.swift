#if os(Linux)
  package import CordonCore
  public import CordonMonitoring
  import Foundation

  /// Fixes from a gpsd daemon, over its JSON protocol on TCP.
  ///
  /// gpsd cannot watch regions and costs no battery worth saving, so this provider delivers every fix all the time, and
  /// the monitor decides. A connection that ends, or never comes about, is tried again with growing waits.
  public final class GPSDProvider: LocationProvider {
    /// Where the daemon is.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
      /// A name or an address.
      public var host: String
      /// The port; gpsd's own is 2947.
      public var port: UInt16

      /// An address; by default the daemon of this machine.
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
    ///   - endsWithConnection: whether ``events()`` ends when gpsd hangs up, instead of connecting again.
    ///   - address: where the daemon is.
    public convenience init(address: Address = Address(), endsWithConnection: Bool = false) {
      self.init(address: address, endsWithConnection: endsWithConnection, firstWait: .seconds(1))
    }

    /// - Parameters:
    ///   - firstWait: before the second attempt; doubled up to sixty times as long.
    ///   - silence: so long without a word ends an epoch: receivers say all about it in one burst.
    package init(
      address: Address, endsWithConnection: Bool, firstWait: TimeSpan, silence: TimeSpan = .milliseconds(250)
    ) {
      self.address = address
      self.endsWithConnection = endsWithConnection
      self.firstWait = firstWait
      self.silence = silence
    }

    /// How the connection stands, and what was last heard.
    public var health: GPSDHealth { box.health }

    /// The same, now and each time that something was heard or the connection ended.
    package var healths: AsyncStream<GPSDHealth> { box.changes() }

    /// See ``LocationProvider/issues``.
    public var issues: [MonitorIssue] { health.issue.map { [$0] } ?? [] }

    /// See ``LocationProvider/perform(_:)``; there is nothing to obey.
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
              // A line that cannot be read is one report less; gpsd adds members and classes now and then.
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
