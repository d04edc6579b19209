public import CordonMonitoring

/// A real server that the phones of a simulation talk to, in place of the sink in the process.
public struct PhoneServer {
  /// What phones activate themselves with.
  public var inviteCode: String
  /// Carries a request and waits for the answer; also tells how many bytes were sent.
  public var carry: (Request) -> (response: Response, bytes: Int)

  /// A server.
  public init(inviteCode: String, carry: @escaping (Request) -> (response: Response, bytes: Int)) {
    self.inviteCode = inviteCode
    self.carry = carry
  }
}
