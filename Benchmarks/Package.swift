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
      name: "bench-contacts",
      dependencies: [
        .product(name: "CordonContacts", package: "Cordon"), .product(name: "CordonExchange", package: "Cordon"),
      ],
      path: "Contacts")
  ]
)

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
