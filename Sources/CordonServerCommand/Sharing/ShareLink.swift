import CordonSharing
import NIOCore
import NIOPosix
import NIOSSL

/// Connections of a sharing: TLS 1.3, in which each side shows a certificate that it signed itself. TLS proves that the other
/// side has the key; whose key it is, the codes show.
struct ShareLink: Sendable {
  /// A connection that reads nothing yet, and the public key of the other side, which is known once TLS has it.
  struct Connection: Sendable {
    let channel: any Channel
    let peer: EventLoopFuture<[UInt8]>

    /// Returns the bytes of the connection. Nothing is read before, so that a connection whose turn never comes can be dropped.
    func bytes() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
      let channel = channel
      return try await channel.eventLoop.submit {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
      }.get()
    }
  }

  /// The key of this device.
  let identity: ShareIdentity

  /// Listens on an address.
  /// - Parameter port: the port; 0 for any free one.
  func listen(host: String, port: Int) async throws -> NIOAsyncChannel<Connection, Never> {
    let context = try context(isServer: true)
    return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(ChannelOptions.backlog, value: 8)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(ChannelOptions.autoRead, value: false)
      .bind(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let peer = channel.eventLoop.makePromise(of: [UInt8].self)
          return try ShareLink.connection(
            channel, peer,
            NIOSSLServerHandler(context: context, customVerificationCallback: ShareLink.verification(peer)))
        }
      }
  }

  /// Connects to a device, within 15 seconds.
  func connect(host: String, port: Int) async throws -> Connection {
    let context = try context(isServer: false)
    return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(15))
      .channelOption(ChannelOptions.autoRead, value: false)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let peer = channel.eventLoop.makePromise(of: [UInt8].self)
          let handler = try ShareLink.handler(context, peer)
          return try ShareLink.connection(channel, peer, handler)
        }
      }
  }

  private static func handler(
    _ context: NIOSSLContext, _ peer: EventLoopPromise<[UInt8]>
  ) throws -> NIOSSLClientHandler {
    do {
      return try NIOSSLClientHandler(
        context: context, serverHostname: nil, customVerificationCallback: verification(peer))
    } catch {
      peer.fail(error)
      throw error
    }
  }

  private static func connection(
    _ channel: any Channel, _ peer: EventLoopPromise<[UInt8]>, _ tls: some ChannelHandler
  ) throws -> Connection {
    // A connection that ends before its certificate came has no key.
    channel.closeFuture.whenComplete { _ in peer.fail(ChannelError.eof) }
    try channel.pipeline.syncOperations.addHandler(tls)
    return Connection(channel: channel, peer: peer.futureResult)
  }

  /// Accepts any certificate with a key of P-256, and keeps the key.
  private static func verification(_ peer: EventLoopPromise<[UInt8]>) -> NIOSSLCustomVerificationCallback {
    { certificates, verdict in
      guard let key = try? certificates.first?.extractPublicKey().toSPKIBytes(), ShareIdentity.isUsable(key) else {
        peer.fail(ShareError(.malformed, "the other device has no certificate of the protocol"))
        verdict.succeed(.failed)
        return
      }
      peer.succeed(key)
      verdict.succeed(.certificateVerified)
    }
  }

  private func context(isServer: Bool) throws -> NIOSSLContext {
    let certificate = try NIOSSLCertificate(bytes: try identity.certificate(), format: .der)
    let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
    var configuration =
      isServer
      ? TLSConfiguration.makeServerConfiguration(
        certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
      : TLSConfiguration.makeClientConfiguration()
    configuration.certificateChain = [.certificate(certificate)]
    configuration.privateKey = .privateKey(key)
    configuration.minimumTLSVersion = .tlsv13
    // Both sides must show a certificate; no authority is trusted.
    configuration.certificateVerification = .noHostnameVerification
    configuration.trustRoots = .certificates([])
    return try NIOSSLContext(configuration: configuration)
  }
}
