package import CordonCore
package import CordonIngest
import CordonSupport
import CordonWire

/// The sender of a request about forms, whose credentials were checked.
package enum FormSender: Hashable, Sendable {
  /// An operator with roles at venues.
  case `operator`(Operator)
  /// A collector: the holder of a key of one form, who shares all its records.
  case collector(FormKey)
  /// A device with a token of a venue, which sees its own records only. `since`: the beginning of its present holder's time;
  /// the epoch for the first holder.
  case device(DeviceID, VenueID, since: Instant = .epoch)
}

/// A request about forms.
package struct FormCall: Sendable {
  /// The route.
  package var route: FormRoute
  /// The values of the parts in braces.
  package var names: [String]
  /// The sender.
  package var sender: FormSender
  /// The request with its query and its body.
  package var request: IngestRequest

  /// Takes the values as they are.
  package init(route: FormRoute, names: [String], sender: FormSender, request: IngestRequest) {
    self.route = route
    self.names = names
    self.sender = sender
    self.request = request
  }

  /// The holder whose records alone the sender may see; `nil` for a collector, who sees all.
  var owner: FormOwner? {
    guard case .device(let device, _, let since) = sender else { return nil }
    return FormOwner(device: device.rawValue, since: since)
  }

  /// The identifier of the form in the address.
  var form: String { names.first ?? "" }

  /// Maximum length of an unpacked body, bytes.
  static let maximumBytes = 16 << 20

  /// Reads the body as a JSON object with known keys; an empty body is an empty object.
  func body(_ known: [String]) throws(Problem) -> JSONValue {
    var bytes = request.body
    switch request.header("content-encoding")?.lowercased() {
    case nil, "", "identity": break
    case "gzip":
      do throws(WireError) { bytes = try Gzip.decompress(bytes, limit: FormCall.maximumBytes) } catch {
        if error.kind == .tooLong { throw Problem(413, .bodyTooLarge, "a body has at most 16 MiB when unpacked") }
        throw Problem(400, .badGzip, "the body is not gzip: \(error.reason)", offset: error.offset)
      }
    case .some: throw Problem(415, .unknownEncoding, "a body comes as it is or as gzip", field: "content-encoding")
    }
    if bytes.isEmpty { return .object([]) }
    let value: JSONValue
    do throws(WireError) { value = try JSONReader.value(of: bytes) } catch {
      throw Problem(400, .badJSON, error.reason, offset: error.offset)
    }
    guard let members = value.members else { throw Problem(400, .badJSON, "the body has to be an object") }
    var seen: Set<String> = []
    for member in members {
      guard known.contains(member.key) else {
        let name = Quotation.of(member.key, limit: 64)
        throw Problem(400, .unknownField, "\(name): no such member here", field: name)
      }
      guard seen.insert(member.key).inserted else {
        throw Problem(400, .badField, "\(member.key): is there twice", field: member.key)
      }
    }
    return value
  }
}

extension JSONValue {
  /// A text of an object; `nil` when it is missing.
  func text(_ name: String, atMost limit: Int) throws(Problem) -> String? {
    switch self[name] {
    case nil, .null?: return nil
    case .string(let text)? where text.count <= limit: return text
    default: throw Problem(400, .badField, "\(name): a text of at most \(limit) characters", field: name)
    }
  }

  /// A whole number of an object; `nil` when it is missing.
  func whole(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
    switch self[name] {
    case nil, .null?: return nil
    case .integer(let number)? where range.contains(number): return number
    default:
      throw Problem(
        400, .badField, "\(name): a whole number from \(range.lowerBound) to \(range.upperBound)", field: name)
    }
  }

  /// Yes or no of an object; `false` when it is missing.
  func truth(_ name: String) throws(Problem) -> Bool {
    switch self[name] {
    case nil, .null?: return false
    case .bool(let value)?: return value
    default: throw Problem(400, .badField, "\(name): true or false", field: name)
    }
  }
}
