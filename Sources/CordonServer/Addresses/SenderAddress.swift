/// Finds the address that a request is counted by: the other end of its connection or, where that is a trusted proxy, the client
/// that the proxy names.
struct SenderAddress: Sendable {
  /// The proxies whose `X-Forwarded-For` is believed; none for no proxy.
  let proxies: [NetworkRange]

  func isTrusted(_ address: NetworkAddress) -> Bool { proxies.contains { $0.contains(address) } }

  /// Whether a connection comes from a trusted proxy.
  func isTrusted(_ socket: String) -> Bool { NetworkAddress(socket).map(isTrusted) ?? false }

  /// The address, as ``NetworkAddress/countedAs``.
  ///
  /// Each proxy appends the address that it was reached from, so the header is read from its end: the last address that
  /// is not a trusted proxy's is the client's. The client wrote the entries before it, and they are not read. Where an
  /// entry is not an address, the hop that wrote it is the last one that is known.
  /// - Parameters:
  ///   - socket: the other end of the connection.
  ///   - forwarded: all `X-Forwarded-For` fields of the request, in order, joined by commas.
  func find(socket: String, forwarded: String?) -> String {
    guard let end = NetworkAddress(socket) else { return socket }
    guard let forwarded, isTrusted(end) else { return end.countedAs }
    var client = end
    for entry in forwarded.split(separator: ",").reversed() {
      guard let address = NetworkAddress(entry) else { break }
      client = address
      guard isTrusted(address) else { break }
    }
    return client.countedAs
  }
}
