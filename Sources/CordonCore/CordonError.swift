#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of this package: what happened in one sentence, and what to do about it.
///
/// Every public error conforms, so that `localizedDescription` in an alert shows the sentence and
/// `localizedRecoverySuggestion` the remedy. Neither holds a coordinate, a key or a token.
public protocol CordonError: LocalizedError, Sendable, CustomStringConvertible {
  /// What to do about it; one or two sentences.
  var remedy: String { get }
}

extension CordonError {
  /// The description.
  public var errorDescription: String? { description }
  /// The remedy.
  public var recoverySuggestion: String? { remedy }
  /// None: the description says why.
  public var failureReason: String? { nil }
  /// None.
  public var helpAnchor: String? { nil }
}

extension RFC3339Error: CordonError {
  /// How such a text looks.
  public var remedy: String { "Write the time as 2026-01-31T09:30:00Z, or with an offset such as +01:00." }
}
