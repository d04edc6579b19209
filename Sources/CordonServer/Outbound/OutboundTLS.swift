internal import Foundation
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL

/// The trust of outgoing connections: the authorities of the system and, where a file names them, further ones.
final class OutboundTLS: Sendable {
  private let authorities: String?
  private let context = NIOLockedValueBox<NIOSSLContext?>(nil)

  /// - Parameter authorities: a PEM file of further authorities; `nil` for those of the system alone.
  init(authorities: String?) { self.authorities = authorities }

  /// Returns the handler of a connection. The context is made at the first use, since it reads all authorities.
  /// - Parameters:
  ///   - host: the name that the certificate must have.
  ///   - isAddress: whether the host is an IP address.
  func handler(host: String, isAddress: Bool) throws -> NIOSSLClientHandler {
    let context = try context.withLockedValue { known in
      if let known { return known }
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      if let authorities { configuration.additionalTrustRoots = [.file(authorities)] }
      let made = try NIOSSLContext(configuration: configuration)
      known = made
      return made
    }
    return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
  }
}
