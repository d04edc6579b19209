// swift-tools-version: 6.2
import PackageDescription

/// Programs that measure Cordon. A package of its own, so that integrators never build them.
let package = Package(
  name: "CordonBenchmarks",
  platforms: [.macOS(.v14)],
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
      name: "bench-contacts",
      dependencies: [
        .product(name: "CordonContacts", package: "Cordon"), .product(name: "CordonExchange", package: "Cordon"),
      ],
      path: "Contacts")
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
    .executableTarget(
      name: "SDKBenchmark",
      dependencies: [
        .product(name: "CordonCore", package: "Cordon"),
        .product(name: "CordonGeometry", package: "Cordon"),
        .product(name: "CordonMonitoring", package: "Cordon"),
        .product(name: "CordonStorage", package: "Cordon"),
        .product(name: "CordonWire", package: "Cordon"),
        .product(name: "CordonTesting", package: "Cordon"),
      ], path: "SDK")
  ]
)
    .target(name: "Measuring", path: "Measuring"),
    .executableTarget(
      name: "BenchGate",
      dependencies: [
        "Measuring",
        .product(name: "CordonCore", package: "Cordon"),
        .product(name: "CordonGeometry", package: "Cordon"),
      ],
      path: "Gate"),
      name: "bench-venues", dependencies: [.product(name: "CordonVenues", package: "Cordon")], path: "Venues")
  ]
)

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
  target.swiftSettings = (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
}
