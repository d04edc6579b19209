import Foundation
import Testing

/// Tests that take minutes in a debug build run only with CORDON_LONG_TESTS=1.
enum LongTests {
  static let areWanted = ProcessInfo.processInfo.environment["CORDON_LONG_TESTS"] != nil
}

extension Trait where Self == ConditionTrait {
  static var long: Self { .enabled(if: LongTests.areWanted, "set CORDON_LONG_TESTS for tests that take minutes") }
}
