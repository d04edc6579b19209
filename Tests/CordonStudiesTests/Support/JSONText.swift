import CordonSupport
import CordonWire

/// Reads JSON in tests.
enum JSONText {
  static func value(_ text: String) throws -> JSONValue { try JSONReader.value(of: Array(text.utf8)) }
}
