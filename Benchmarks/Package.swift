// swift-tools-version: 6.2
import PackageDescription

/// Measurements, apart from the package itself so that nobody who uses it downloads or builds them.
let package = Package(
  name: "Benchmarks",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "bench-gate", targets: ["BenchGate"])
  ],
  dependencies: [
    .package(name: "Cordon", path: "..")
  ],
  targets: [
    .target(name: "Measuring", path: "Measuring"),
    .executableTarget(
      name: "BenchGate",
      dependencies: [
        "Measuring",
        .product(name: "CordonCore", package: "Cordon"),
        .product(name: "CordonGeometry", package: "Cordon"),
      ],
      path: "Gate"),
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "CordonBenchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Cordon", path: "..")],
  targets: [
    .executableTarget(
      name: "bench-venues", dependencies: [.product(name: "CordonVenues", package: "Cordon")], path: "Venues")
  ]
)

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
