import Foundation

/// The seeds of tests that repeat the same promise for many of them.
///
/// `make test` runs a fifth; `.ci/run`, and everybody who sets CORDON_ALL_SEEDS=1, runs all.
package enum Seeds {
  package static let areAllWanted = ProcessInfo.processInfo.environment["CORDON_ALL_SEEDS"] != nil

  /// All of `seeds`, or every fifth.
  package static func some<Seed>(of seeds: some Sequence<Seed>) -> [Seed] {
    seeds.enumerated().filter { areAllWanted || $0.offset % 5 == 0 }.map(\.element)
  }
}
