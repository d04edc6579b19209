internal import Hummingbird
internal import NIOCore

/// The context of a request, including its sender.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let peer: String
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    peer = source.channel.remoteAddress?.ipAddress ?? ""
  }
}
