internal import Hummingbird
internal import NIOCore

/// What is known of a request besides what it says: who sent it.
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
