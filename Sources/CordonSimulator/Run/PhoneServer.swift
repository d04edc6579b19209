package import CordonMonitoring

/// A real server to which the phones of a simulation send their requests, instead of the in-process sink.
package struct PhoneServer {
  /// The invite code with which phones activate themselves.
  package var inviteCode: String
  /// Sends a request, and returns the response and the number of bytes sent. The call blocks until the response
  /// arrives.
  package var send: (SinkRequest) -> (response: SinkResponse, bytes: Int)

  /// Creates a server from its invite code and a function that sends requests.
  package init(inviteCode: String, send: @escaping (SinkRequest) -> (response: SinkResponse, bytes: Int)) {
    self.inviteCode = inviteCode
    self.send = send
  }
}
