internal import CordonCore
internal import CordonSupport
internal import Foundation

/// A value of a configuration in JSON.
package enum ConfigurationNode: Decodable {
  /// A text, or `true` and `false`.
  case single(String)
  /// A number as text.
  case number(String)
  case list([ConfigurationNode])
  case object([String: ConfigurationNode])
  case null

  /// Decodes a file.
  /// - Throws: ``ConfigurationError`` with the parser's message.
  package init(json data: [UInt8]) throws(ConfigurationError) {
    do {
      self = try JSONDecoder().decode(ConfigurationNode.self, from: Data(data))
    } catch let DecodingError.dataCorrupted(context) {
      throw ConfigurationError("is not JSON: \(context.debugDescription)")
    } catch {
      throw ConfigurationError("is not JSON")
    }
  }

  package init(from decoder: any Decoder) throws {
    if let object = try? decoder.singleValueContainer().decode([String: ConfigurationNode].self) {
      self = .object(object)
      return
    }
    if let list = try? decoder.singleValueContainer().decode([ConfigurationNode].self) {
      self = .list(list)
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .single(flag ? "true" : "false")
    } else if let text = try? value.decode(String.self) {
      self = .single(text)
    } else if let number = try? value.decode(Int64.self) {
      self = .number(String(number))
    } else {
      self = .number(JSONValue.number(try value.decode(Double.self)).text())
    }
  }

  /// The text of a single value, also that of a number.
  package var text: String? {
    switch self {
    case .single(let text), .number(let text): text
    case .list, .object, .null: nil
    }
  }

  /// Whether the value is a number.
  package var isNumber: Bool { if case .number = self { true } else { false } }

  /// The items of a list.
  package var items: [ConfigurationNode]? { if case .list(let items) = self { items } else { nil } }

  /// The members of an object.
  package var members: [String: ConfigurationNode]? { if case .object(let members) = self { members } else { nil } }
}
