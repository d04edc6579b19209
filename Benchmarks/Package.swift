// swift-tools-version: 6.2
import PackageDescription

func cordon(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "Cordon") }
}

/// Measurements in a separate package, so that users of Cordon neither download nor build them.
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
      name: "bench-gate", dependencies: ["Measuring", "CGEOSPeer"] + cordon("CordonCore", "CordonGeometry"),
      path: "Gate"),
    .executableTarget(
      name: "bench-venues", dependencies: ["Measuring"] + cordon("CordonVenues", "CordonGeometry", "CordonCore"),
      path: "Venues"),
    .executableTarget(
      name: "bench-contacts",
      dependencies: ["Measuring"] + cordon("CordonContacts", "CordonCore", "CordonExchange", "CordonGeometry"),
      path: "Contacts"),
    .executableTarget(
      name: "bench-simulator",
      dependencies: ["Measuring"]
        + cordon("CordonSimulator", "CordonVenues", "CordonGeometry", "CordonCore", "CordonContacts"),
      path: "Simulator"),
    .executableTarget(
      name: "bench-sdk",
      dependencies: cordon(
        "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonSealing", "CordonStorage", "CordonWire",
        "CordonTesting"),
      path: "SDK"),
    // Two programs whose sizes show what the library adds to an app.
    .executableTarget(name: "size-empty", path: "Size/Empty"),
    .executableTarget(
      name: "size-sdk", dependencies: cordon("Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring"),
      path: "Size/SDK"),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
