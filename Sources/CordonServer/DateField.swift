internal import CordonCore
internal import Foundation
internal import NIOConcurrencyHelpers

/// The date field of responses, formatted once a second.
final class DateField: Sendable {
  private let last = NIOLockedValueBox((second: Int64.min, text: ""))

  /// The current time.
  var text: String { text(at: Int64(Date().timeIntervalSince1970)) }

  /// - Parameter second: seconds since 1970.
  func text(at second: Int64) -> String {
    last.withLockedValue { last in
      if last.second != second { last = (second, HTTPDate.text(at: second)) }
      return last.text
    }
  }
}
