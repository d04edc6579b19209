// swift-tools-version: 6.2
import PackageDescription

/// Applied to every target of ours: Swift 6 mode, and nothing that the compiler warns about.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Cordon",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "cordon", targets: ["CordonCommand"]),
    .library(name: "CordonVenues", targets: ["CordonVenues"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CordonCore"),
    .target(name: "CordonGeometry", dependencies: ["CordonCore"]),
    .target(name: "CordonVenues", dependencies: ["CordonCore", "CordonGeometry", "CGEOS", "CZlib"]),
    .target(name: "CordonContacts", dependencies: ["CordonCore", "CordonGeometry"]),
    .executableTarget(
      name: "CordonCommand",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "CordonCoreTests", dependencies: ["CordonCore"]),
    .testTarget(name: "CordonVenuesTests", dependencies: ["CordonVenues", "CordonGeometry", "CordonCore", "CZlib"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// The fuzzers need flags that a package may not have when others depend on it: only when asked for (Fuzz/run).
if Context.environment["CORDON_FUZZ"] != nil {
  let flags = ["-sanitize=fuzzer,address"]
  for target in package.targets
  where target.name == "CordonVenues" || target.name == "CordonCore" || target.name == "CordonGeometry" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
  }
  package.targets.append(
    .executableTarget(
      name: "FuzzVenues", dependencies: ["CordonVenues"], path: "Fuzz/Venues",
      swiftSettings: settings + [.unsafeFlags(flags)], linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]))
}
