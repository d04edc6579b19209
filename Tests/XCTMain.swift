import Testing

/// The entry point of the program of all tests.
///
/// SwiftPM looks for a file of this name. With it, it does not search an index of all sources for tests of XCTest, and
/// `scripts/build` leaves the index out.
@main
struct AllTests {
  /// `swift test` runs the program once for each library of tests; there are tests of Swift Testing only.
  static func main() async {
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
