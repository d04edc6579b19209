// swift-tools-version: 6.2
import PackageDescription

func cordon(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "Cordon") }
}

/// Measurements, apart from the package itself so that nobody who uses it downloads or builds them.
let package = Package(
  name: "Benchmarks",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [
    .package(name: "Cordon", path: "..")
  ],
  targets: [
    .target(name: "Measuring", path: "Measuring"),
    .systemLibrary(name: "CGEOSPeer", path: "CGEOSPeer", pkgConfig: "geos", providers: [.apt(["libgeos-dev"])]),
    .executableTarget(
      name: "bench-gate", dependencies: ["Measuring", "CGEOSPeer"] + cordon("_CordonInternals"), path: "Gate"),
    .executableTarget(
      name: "bench-venues", dependencies: ["Measuring"] + cordon("CordonVenues", "_CordonInternals"), path: "Venues"),
    .executableTarget(
      name: "bench-contacts", dependencies: ["Measuring"] + cordon("CordonContacts", "_CordonInternals"),
      path: "Contacts"),
    .executableTarget(
      name: "bench-simulator", dependencies: ["Measuring"] + cordon("CordonSimulator", "_CordonInternals"),
      path: "Simulator"),
    .executableTarget(
      name: "bench-sdk", dependencies: cordon("CordonSealing", "CordonTesting", "_CordonInternals"), path: "SDK"),
    // Two programs whose sizes show what an app pays for the library.
    .executableTarget(name: "size-empty", path: "Size/Empty"),
    .executableTarget(name: "size-sdk", dependencies: cordon("Cordon"), path: "Size/SDK"),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
