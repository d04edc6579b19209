internal import CordonForms
internal import CordonSupport
internal import CordonWire
internal import Foundation

/// A message of the protocol: canonical JSON behind its length, four bytes with the highest first.
enum ShareMessage: Hashable, Sendable {
  /// Receiver: begins, and commits to a nonce.
  case hello(commitment: [UInt8])
  /// Sharer: its nonce.
  case offer(nonce: [UInt8])
  /// Receiver: the nonce to which it committed.
  case reveal(nonce: [UInt8])
  /// Either: its person typed the code of the other device.
  case confirmed
  /// Sharer: records and their signature.
  case bundle(JSONValue, signature: [UInt8])
  /// Receiver: the records are stored.
  case receipt(ShareResult.Counts)
  /// Either: ends the sharing.
  case refused

  /// The name and version of the protocol.
  static let version = "cordon.share/1"
  /// Maximum length of a message before the codes are confirmed, bytes.
  static let maximumBefore = 4 << 10
  /// Maximum length of a message with a bundle, bytes.
  static let maximumBundle = 1 << 20

  /// The message with its length.
  var frame: [UInt8] {
    let text = json.canonicalText
    let count = UInt32(text.utf8.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + Array(text.utf8)
  }

  private var json: JSONValue {
    func base64(_ bytes: [UInt8]) -> JSONValue { .string(Data(bytes).base64EncodedString()) }
    switch self {
    case .hello(let commitment):
      return ["type": "hello", "protocol": .string(ShareMessage.version), "commitment": base64(commitment)]
    case .offer(let nonce): return ["type": "offer", "nonce": base64(nonce)]
    case .reveal(let nonce): return ["type": "reveal", "nonce": base64(nonce)]
    case .confirmed: return ["type": "confirmed"]
    case .bundle(let bundle, let signature):
      return ["type": "bundle", "bundle": bundle, "signature": base64(signature)]
    case .receipt(let counts):
      return [
        "type": "receipt", "stored": JSONValue(counts.stored), "known": JSONValue(counts.known),
        "erased": JSONValue(counts.erased), "conflicts": JSONValue(counts.conflicts),
      ]
    case .refused: return ["type": "refused"]
    }
  }

  /// Reads a message without its length.
  /// - Throws: ``ShareError`` with the place.
  init(_ bytes: [UInt8], place: String) throws(ShareError) {
    let json: JSONValue
    do throws(WireError) {
      json = try JSONReader.value(of: bytes)
    } catch {
      throw ShareError(.malformed, place, "is not JSON: byte \(error.offset): \(error.reason)")
    }
    guard json.members != nil, let type = json["type"]?.stringValue else {
      throw ShareError(.malformed, place, "has to be an object with a type")
    }
    let expected: [String]
    switch type {
    case "hello":
      guard json["protocol"] == .string(ShareMessage.version) else {
        throw ShareError(.malformed, "\(place).protocol", "is another protocol than \(ShareMessage.version)")
      }
      expected = ["type", "protocol", "commitment"]
      self = .hello(commitment: try ShareMessage.bytes(json, "commitment", SharePairing.nonceBytes, place))
    case "offer":
      expected = ["type", "nonce"]
      self = .offer(nonce: try ShareMessage.bytes(json, "nonce", SharePairing.nonceBytes, place))
    case "reveal":
      expected = ["type", "nonce"]
      self = .reveal(nonce: try ShareMessage.bytes(json, "nonce", SharePairing.nonceBytes, place))
    case "confirmed", "refused":
      expected = ["type"]
      self = type == "confirmed" ? .confirmed : .refused
    case "bundle":
      expected = ["type", "bundle", "signature"]
      guard let bundle = json["bundle"], bundle.members != nil else {
        throw ShareError(.malformed, "\(place).bundle", "has to be an object")
      }
      self = .bundle(bundle, signature: try ShareMessage.bytes(json, "signature", 64, place))
    case "receipt":
      expected = ["type", "stored", "known", "erased", "conflicts"]
      self = .receipt(
        ShareResult.Counts(
          stored: try ShareMessage.count(json, "stored", place), known: try ShareMessage.count(json, "known", place),
          erased: try ShareMessage.count(json, "erased", place),
          conflicts: try ShareMessage.count(json, "conflicts", place)))
    default: throw ShareError(.malformed, "\(place).type", "is not a type of messages")
    }
    guard let members = json.members, members.count == expected.count, Set(members.map(\.key)) == Set(expected) else {
      throw ShareError(.malformed, place, "has other members than \(expected.joined(separator: ", "))")
    }
  }

  private static func bytes(
    _ json: JSONValue, _ key: String, _ count: Int, _ place: String
  ) throws(ShareError) -> [UInt8] {
    guard let text = json[key]?.stringValue, let data = Data(base64Encoded: text), data.count == count else {
      throw ShareError(.malformed, "\(place).\(key)", "has to be \(count) bytes in base64")
    }
    return Array(data)
  }

  private static func count(_ json: JSONValue, _ key: String, _ place: String) throws(ShareError) -> Int {
    guard let number = json[key]?.integerValue, (0...Int64(FormRecords.maximumEntries)).contains(number) else {
      throw ShareError(.malformed, "\(place).\(key)", "has to be a number of records")
    }
    return Int(number)
  }
}
