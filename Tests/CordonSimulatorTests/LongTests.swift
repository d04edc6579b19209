import Foundation
import Testing

/// What walks crowds for minutes in a debug build is asked for: CORDON_LONG_TESTS=1 swift test.
enum LongTests {
  static let areWanted = ProcessInfo.processInfo.environment["CORDON_LONG_TESTS"] != nil
}

extension Trait where Self == ConditionTrait {
  static var long: Self { .enabled(if: LongTests.areWanted, "set CORDON_LONG_TESTS for tests that take minutes") }
}
