// swift-tools-version: 6.2
import PackageDescription

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
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
