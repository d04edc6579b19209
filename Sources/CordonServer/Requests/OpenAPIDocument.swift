import CInterfaceDescription

/// The description of the interface, as it is served at `/openapi.json`.
package enum OpenAPIDocument {
  /// OpenAPI 3.1, JSON.
  package static var text: String {
    var count = 0
    let bytes = cordon_interface_description(&count)
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
