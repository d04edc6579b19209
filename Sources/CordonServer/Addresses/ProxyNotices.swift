internal import CordonIngest
internal import Logging
internal import NIOConcurrencyHelpers

/// Warns once about a proxy that the settings do not name: all its clients would be counted as one.
final class ProxyNotices: Sendable {
  private let logger: Logger
  private let isBehindProxy: Bool
  private let warned = NIOLockedValueBox((header: false, sharing: false))
  /// The number of devices at one address within an hour that causes a warning.
  static let sharingDevices = 20

  init(_ settings: IngestServer.Settings, logger: Logger) {
    isBehindProxy = settings.isBehindProxy
    self.logger = logger
  }

  /// Records a request with `X-Forwarded-For` from an address that is not a trusted proxy.
  func noteUntrustedHeader() {
    let isFirst = warned.withLockedValue { warned in
      defer { warned.header = true }
      return !warned.header
    }
    guard isFirst else { return }
    logger.warning(
      isBehindProxy
        ? "X-Forwarded-For came from an address that is not in trusted-proxies, and is not read"
        : "X-Forwarded-For came, and is not read: a proxy in front of the server needs --behind-proxy")
  }

  /// Checks the number of devices that use one address.
  func look(at metrics: IngestMetrics) {
    guard metrics.devicesOfOneAddress >= Self.sharingDevices else { return }
    let isFirst = warned.withLockedValue { warned in
      defer { warned.sharing = true }
      return !warned.sharing
    }
    guard isFirst else { return }
    logger.warning(
      isBehindProxy
        ? "many devices share one address: does the proxy send X-Forwarded-For, and do trusted-proxies name it?"
        : "many devices share one address: a proxy in front of the server needs --behind-proxy",
      metadata: ["devices": "\(metrics.devicesOfOneAddress)"])
  }
}
