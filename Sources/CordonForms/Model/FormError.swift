import CordonCore

/// An error in the document of a form, with its place.
package struct FormError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place as a path of keys and numbers from 0, such as `items[2].options[0].value`; empty for the whole document.
  package var path: String
  /// A description of the fault.
  package var message: String

  /// Creates an error at a place.
  package init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  /// `items[2].min: is greater than max`.
  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension FormError: CordonError {
  /// A reference to the documentation of forms.
  package var remedy: String { "Change the document of the form; docs/reference/forms.md lists its keys." }
}
