import CInterfaceDescription
import CordonSupport

/// The description of the interface, as it is served at `/openapi.json`.
package enum OpenAPIDocument {
  /// OpenAPI 3.1, JSON.
  package static var text: String { String(decoding: embeddedFile(cordon_interface_description), as: UTF8.self) }
}
