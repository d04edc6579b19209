/// A receiver of traces, and the requests that are traced.
package struct TraceSettings: Hashable, Sendable {
  /// The receiver of OTLP over HTTP, with the path; `nil` for no traces.
  package var receiver: OutboundAddress?
  /// A header field of requests to the receiver, such as a key; `nil` for none.
  package var field: Field?
  /// The share of new traces that are recorded, from 0 to 1.
  package var ratio = 1.0
  /// The name of the service in traces.
  package var service = "cordon-server"
  /// Whether the traces of all clients are continued, not only those of trusted proxies.
  package var continuesClients = false

  /// A header field.
  package struct Field: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The value.
    package var value: String

    /// Reads `NAME: VALUE` of printable ASCII characters; `nil` for another text.
    package init?(_ text: String) {
      guard let colon = text.firstIndex(of: ":"), text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
        return nil
      }
      name = String(text[..<colon])
      var value = text[text.index(after: colon)...]
      while value.first == " " { value.removeFirst() }
      self.value = String(value)
      let isToken = { (byte: UInt8) in
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x2d
      }
      guard !name.isEmpty, name.utf8.allSatisfy(isToken), !value.isEmpty else { return nil }
    }
  }

  /// No receiver.
  package init() {}
}
