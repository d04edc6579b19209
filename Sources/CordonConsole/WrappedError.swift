/// The error that a command's own validation threw, inside of the error that the argument parser makes of it.
///
/// The parser's errors are not public types, and their description is the parser's structure.
package enum WrappedError {
  /// Returns the error that `validate()` of a command threw; `nil` for any other error.
  package static func cause(of error: any Error) -> (any Error)? {
    Mirror(reflecting: error).descendant("parserError", "userValidationError") as? any Error
  }
}
