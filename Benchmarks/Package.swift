// swift-tools-version: 6.2
import PackageDescription

/// Programs that measure Cordon. A package of its own, so that integrators never build them.
let package = Package(
  name: "CordonBenchmarks",
  platforms: [.macOS(.v14)],
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
