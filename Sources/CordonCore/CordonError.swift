#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of this package, with its remedy.
///
/// Every public error conforms: an alert shows the description as `localizedDescription` and the remedy as
/// `localizedRecoverySuggestion`. Neither holds a coordinate, a key or a token.
public protocol CordonError: LocalizedError, Sendable, CustomStringConvertible {
  /// The remedy, in one or two sentences.
  var remedy: String { get }
}

extension CordonError {
  /// The description.
  public var errorDescription: String? { description }
  /// The remedy.
  public var recoverySuggestion: String? { remedy }
  /// `nil`: the description contains the reason.
  public var failureReason: String? { nil }
  /// `nil`: there is no help book.
  public var helpAnchor: String? { nil }
}

extension RFC3339Error: CordonError {
  /// An example of a valid text.
  public var remedy: String { "Write the time as 2026-01-31T09:30:00Z, or with an offset such as +01:00." }
}
