// swift-tools-version: 6.2
import PackageDescription

/// Programs that measure Cordon. A package of its own, so that nobody who uses the library downloads or builds them.
let package = Package(
  name: "Benchmarks",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [.package(name: "Cordon", path: "..")],
  targets: [
    .target(name: "Measuring", path: "Measuring"),
    .executableTarget(
      name: "bench-contacts",
      dependencies: [
        .product(name: "CordonContacts", package: "Cordon"), .product(name: "CordonExchange", package: "Cordon"),
      ],
      path: "Contacts"),
    .executableTarget(
      name: "bench-gate",
      dependencies: [
        "Measuring",
        .product(name: "CordonCore", package: "Cordon"),
        .product(name: "CordonGeometry", package: "Cordon"),
      ],
      path: "Gate"),
    .executableTarget(
      name: "bench-venues", dependencies: [.product(name: "CordonVenues", package: "Cordon")], path: "Venues"),
    .executableTarget(
      name: "bench-sdk",
      dependencies: [
        .product(name: "CordonCore", package: "Cordon"),
        .product(name: "CordonGeometry", package: "Cordon"),
        .product(name: "CordonMonitoring", package: "Cordon"),
        .product(name: "CordonStorage", package: "Cordon"),
        .product(name: "CordonWire", package: "Cordon"),
        .product(name: "CordonTesting", package: "Cordon"),
      ],
      path: "SDK"),
  ]
)

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
}
