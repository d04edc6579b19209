internal import Foundation
internal import HummingbirdCore
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL

/// A certificate or key file that cannot be used.
public struct CertificateFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file and its problem.
  public var description: String
}

/// The current certificate. New connections use the last loaded one; open connections keep theirs.
final class Certificates: Sendable {
  private let certificatePath: String
  private let keyPath: String
  private let context: NIOLockedValueBox<NIOSSLContext>

  init(certificate: String, key: String) throws {
    certificatePath = certificate
    keyPath = key
    context = NIOLockedValueBox(try Certificates.load(certificate, key))
  }

  var current: NIOSSLContext { context.withLockedValue { $0 } }

  /// Reloads the files; keeps the old certificate when they cannot be read.
  func reload() throws {
    let new = try Certificates.load(certificatePath, keyPath)
    context.withLockedValue { $0 = new }
  }

  private static func load(_ certificate: String, _ key: String) throws -> NIOSSLContext {
    func read<T>(_ path: String, as kind: String, _ body: () throws -> T) throws(CertificateFault) -> T {
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw CertificateFault(description: "\(path): cannot be read")
      }
      do {
        return try body()
      } catch {
        throw CertificateFault(description: "\(path): has no \(kind) in PEM that can be read")
      }
    }
    let chain = try read(certificate, as: "certificate") {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate)
      guard !chain.isEmpty else { throw CertificateFault(description: "") }
      return chain.map { NIOSSLCertificateSource.certificate($0) }
    }
    let privateKey = try read(key, as: "private key") { try NIOSSLPrivateKey(file: key, format: .pem) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do {
      return try NIOSSLContext(configuration: configuration)
    } catch {
      throw CertificateFault(description: "\(key): is not the key of the certificate in \(certificate)")
    }
  }
}

/// A channel that starts with TLS under the current certificate.
struct ReloadingTLSChannel<Base: ServerChildChannel>: ServerChildChannel {
  typealias Value = Base.Value
  let base: Base
  let certificates: Certificates

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificates.current))
    }.flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

extension ServerChildChannel {
  func with(_ certificates: Certificates) -> any ServerChildChannel {
    ReloadingTLSChannel(base: self, certificates: certificates)
  }
}
