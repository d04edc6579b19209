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

let grdb: [Target.Dependency] = [
  .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
]

let package = Package(
  name: "Cordon",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "cordon", targets: ["CordonCommand"]),
    .executable(name: "cordon-track", targets: ["CordonTrackCommand"]),
    .library(name: "CordonCore", targets: ["CordonCore"]),
    .library(name: "CordonGeometry", targets: ["CordonGeometry"]),
    .library(name: "CordonVenues", targets: ["CordonVenues"]),
    .library(name: "CordonContacts", targets: ["CordonContacts"]),
    .library(name: "CordonExchange", targets: ["CordonExchange"]),
    .library(name: "Cordon", targets: ["Cordon"]),
    .library(name: "CordonApple", targets: ["CordonApple"]),
    .library(name: "CordonMonitoring", targets: ["CordonMonitoring"]),
    .library(name: "CordonStorage", targets: ["CordonStorage"]),
    .library(name: "CordonSealing", targets: ["CordonSealing"]),
    .library(name: "CordonWire", targets: ["CordonWire"]),
    .library(name: "CordonTesting", targets: ["CordonTesting"]),
    .library(name: "CordonRun", targets: ["CordonRun"]),
    .library(name: "CordonReplay", targets: ["CordonReplay"]),
    .library(name: "CordonSimulator", targets: ["CordonSimulator"]),
    .library(name: "CordonIngest", targets: ["CordonIngest"]),
    .executable(name: "cordon-server", targets: ["CordonServerCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CordonCore"),
    .target(name: "CordonGeometry", dependencies: ["CordonCore"]),
    .target(name: "CordonVenues", dependencies: ["CordonCore", "CordonGeometry", "CGEOS", "CZlib"]),
    .target(name: "CordonMonitoring", dependencies: ["CordonCore", "CordonGeometry"]),
    // Connections and prepared statements of SQLite, for every file of rows.
    .target(name: "CordonSQLite", dependencies: [.product(name: "GRDBSQLite", package: "GRDB.swift")]),
    .target(name: "CordonStorage", dependencies: ["CordonCore", "CordonMonitoring", "CordonSQLite"] + grdb),
    // Apart from the store, so that who needs no sealing links no cryptography. Apple's systems bring their own.
    .target(
      name: "CordonSealing",
      dependencies: [
        "CordonMonitoring", .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
      ]),
    .target(name: "CordonWire", dependencies: ["CordonCore", "CZlib"]),
    // What the executables print and write: checked streams and files.
    .target(name: "CordonConsole", dependencies: ["CordonCore", "CordonWire"]),
    // Arguments, options and errors that the executables share.
    .target(
      name: "CordonCommandLine",
      dependencies: [
        "CordonConsole", "CordonCore", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(
      name: "Cordon",
      dependencies: ["CordonCore", "CordonGeometry", "CordonMonitoring", "CordonStorage", "CordonWire"]),
    // Where Apple's frameworks are not, small stand-ins that declare what is used of them: it compiles, and is exercised.
    .target(
      name: "CordonApple",
      dependencies: [
        "Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring",
        .target(name: "CordonAppleShims", condition: .when(platforms: [.linux])),
      ], resources: [.copy("PrivacyInfo.xcprivacy")]),
    .target(name: "CordonAppleShims", path: "Tests/Shims/CordonAppleShims"),
    // The logic of the sample app; its screens need SwiftUI.
    .target(
      name: "VenueDiarySession",
      dependencies: ["Cordon", "CordonApple", "CordonCore", "CordonGeometry", "CordonMonitoring"],
      path: "Samples/VenueDiary/Session"),
    .target(name: "CordonTesting", dependencies: ["CordonCore", "CordonGeometry", "CordonMonitoring"]),
    .target(name: "CContactKernel"),
    .target(name: "CordonContacts", dependencies: ["CordonCore", "CordonGeometry", "CContactKernel"]),
    .target(
      name: "CordonExchange", dependencies: ["CordonCore", "CordonGeometry", "CordonContacts", "CordonWire", "CZlib"]),
    .target(
      name: "CordonReplay",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonContacts", "CordonExchange",
        .product(name: "Yams", package: "Yams"),
      ]),
    .target(
      name: "CordonRun", dependencies: ["CordonCore", "CordonGeometry", "CordonContacts", "CordonSQLite"] + grdb,
      resources: [
        .embedInCode("Report/report.css"), .embedInCode("Report/report.js"), .embedInCode("Report/report.html"),
      ]),
    .target(
      name: "CordonSimulator",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts", "CordonMonitoring", "CordonStorage",
        "CordonWire", "CordonRun", .product(name: "Yams", package: "Yams"),
      ],
      path: "Simulator"),
    // The whole system under faults: never a product.
    .target(name: "CTortureVFS", path: "Torture/VFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CordonTorture",
      dependencies: [
        "Cordon", "CordonCore", "CordonGeometry", "CordonIngest", "CordonMonitoring", "CordonStorage", "CordonWire",
        "CTortureVFS",
      ], path: "Torture/Model"),
    .executableTarget(
      name: "cordon-torture", dependencies: ["CordonConsole", "CordonCore", "CordonTorture"], path: "Torture/Command"),
    .target(
      name: "CordonTracking",
      dependencies: [
        "Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonStorage", "CordonVenues", "CordonWire",
      ]),
    // An executable of its own, so that `cordon` needs no cryptography.
    .executableTarget(
      name: "CordonTrackCommand",
      dependencies: [
        "Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonSealing", "CordonStorage",
        "CordonTracking", "CordonConsole", "CordonCommandLine", "CordonWire",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "CordonCommand",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts", "CordonExchange", "CordonMonitoring",
        "CordonStorage", "CordonRun", "CordonSimulator", "CordonTracking", "Cordon", "CordonReplay", "CordonWire",
        "CordonConsole", "CordonCommandLine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(name: "CCleanPages", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CordonIngest",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts", "CordonSQLite", "CordonWire", "CCleanPages",
      ]),
    .target(
      name: "CordonIngestHTTP",
      dependencies: [
        "CordonConsole", "CordonCore", "CordonGeometry", "CordonVenues", "CordonWire", "CordonIngest",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [
        .embedInCode("Pages/dashboard.html"), .embedInCode("Pages/dashboard.css"), .embedInCode("Pages/dashboard.js"),
        .embedInCode("Pages/openapi.json"),
      ]),
    .executableTarget(
      name: "CordonServerCommand",
      dependencies: [
        "Cordon", "CordonCore", "CordonConsole", "CordonCommandLine", "CordonGeometry", "CordonMonitoring", "CordonVenues", "CordonIngest",
        "CordonIngestHTTP", .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "CordonCoreTests", dependencies: ["CordonCore"]),
    .testTarget(name: "CordonGeometryTests", dependencies: ["CordonCore", "CordonGeometry"]),
    .testTarget(
      name: "CordonVenuesTests", dependencies: ["CordonCore", "CordonGeometry", "CordonVenues", "CZlib"],
      exclude: ["Corpus"]),
    .testTarget(
      name: "CordonMonitoringTests",
      dependencies: ["CordonContacts", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonTesting"]),
    // A process that the tests of the store kill.
    .executableTarget(
      name: "CordonCrashWriter", dependencies: ["CordonCore", "CordonMonitoring", "CordonStorage", "CordonTesting"],
      path: "Tests/CordonCrashWriter"),
    .testTarget(
      name: "CordonStorageTests",
      dependencies: [
        "CordonCore", "CordonCrashWriter", "CordonGeometry", "CordonMonitoring", "CordonSQLite", "CordonSealing",
        "CordonStorage", "CordonTesting",
      ] + grdb),
    .testTarget(
      name: "CordonSealingTests",
      dependencies: ["CordonCore", "CordonMonitoring", "CordonSealing", "CordonStorage", "CordonTesting"] + grdb),
    .testTarget(
      name: "CordonTests",
      dependencies: [
        "Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonTesting", "CordonWire",
      ]),
    .testTarget(
      name: "CordonAppleTests",
      dependencies: [
        "Cordon", "CordonApple", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonTesting",
        "VenueDiarySession", .target(name: "CordonAppleShims", condition: .when(platforms: [.linux])),
      ]),
    .testTarget(
      name: "CordonTrackCommandTests",
      dependencies: [
        "CordonTrackCommand", "CordonTracking", "Cordon", "CordonApple", "CordonCore", "CordonGeometry",
        "CordonMonitoring",
        "CordonTesting", "CordonWire",
      ]),
    .testTarget(name: "CordonWireTests", dependencies: ["CordonCore", "CordonWire"]),
    .testTarget(
      name: "CordonContactsTests", dependencies: ["CordonCore", "CordonGeometry", "CordonContacts", "CordonExchange"]),
    .testTarget(
      name: "CordonExchangeTests",
      dependencies: ["CordonCore", "CordonGeometry", "CordonExchange", "CordonWire"]),
    .testTarget(
      name: "CordonReplayTests",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonTesting", "CordonExchange", "CordonReplay",
      ]),
    .testTarget(
      name: "CordonTortureTests",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonIngest", "CordonMonitoring", "CordonStorage", "CordonTorture",
        "cordon-torture",
      ]),
    .testTarget(
      name: "CordonRunTests", dependencies: ["CordonCore", "CordonGeometry", "CordonContacts", "CordonRun"] + grdb),
    .testTarget(
      name: "CordonSimulatorTests",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts", "CordonMonitoring", "CordonTesting",
        "CordonRun", "CordonSimulator", "CordonStorage",
      ]),
    .testTarget(
      name: "CordonIngestTests",
      dependencies: [
        "CCleanPages", "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts", "CordonWire", "CordonIngest",
        "CordonTesting",
      ]),
    .testTarget(
      name: "CordonIngestHTTPTests",
      dependencies: [
        "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonTesting", "CordonVenues", "CordonWire",
        "CordonIngest", "CordonIngestHTTP", "CordonServerCommand",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ]),
    .testTarget(
      name: "CordonCommandTests",
      dependencies: [
        "CordonCommand", "CordonConsole", "CordonCore", "CordonGeometry", "CordonVenues", "CordonContacts",
        "CordonExchange",
      ]),
  ]
)

// What test targets share: folders, places, processes, gpsd, help texts. No product has it.
for target in package.targets where target.type == .test { target.dependencies.append("CordonTestSupport") }
package.targets.append(
  .target(name: "CordonTestSupport", dependencies: ["CordonCore"], path: "Tests/CordonTestSupport"))

for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// The server brings 21 packages along that an app never needs. A package that depends on this one does not fetch them: its
// copy of this manifest is read out of the repository ("/"), and then from a folder of checkouts. CORDON_SERVER=1 and =0 decide
// otherwise, such as for a dependency by path. On a Mac the server is left out unless asked for: Hummingbird's API begins
// with macOS 14, what apps import begins with 13.
#if os(macOS)
  let hasServer = Context.environment["CORDON_SERVER"] == "1"
  if hasServer { package.platforms = [.iOS(.v16), .macOS(.v14)] }
#else
  let isDependency = Context.packageDirectory == "/" || Context.packageDirectory.contains("/.build/checkouts/")
  let hasServer = Context.environment["CORDON_SERVER"].map { $0 != "0" } ?? !isDependency
#endif
if !hasServer {
  let targets = ["CordonIngestHTTP", "CordonServerCommand", "CordonIngestHTTPTests"]
  let packages = [
    "hummingbird", "swift-nio", "swift-nio-ssl", "swift-log", "swift-http-types", "swift-nio-extras",
    "swift-service-lifecycle",
  ]
  package.targets.removeAll { targets.contains($0.name) }
  package.products.removeAll { $0.name == "cordon-server" }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
    return packages.contains { location.hasSuffix("/\($0)") }
  }
}

// While one part is worked on: only the named test targets and what they need are built, which is much quicker
// (CORDON_TESTS="CordonGeometryTests CordonVenuesTests" swift test).
if let named = Context.environment["CORDON_TESTS"] {
  var kept = Set(named.split(separator: " ").map(String.init))
  var grew = true
  while grew {
    let before = kept.count
    for target in package.targets where kept.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
      for case .targetItem(let name, _) in target.dependencies { kept.insert(name) }
    }
    grew = kept.count > before
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products.removeAll { product in
    let targets = (product as? Product.Executable)?.targets ?? (product as? Product.Library)?.targets ?? []
    return !targets.allSatisfy(kept.contains)
  }
}

// The fuzzers need flags that a package may not have when others depend on it: only when asked for (Fuzz/run).
if let purpose = Context.environment["CORDON_FUZZ"] {
  let flags =
    ["-sanitize=fuzzer,address"] + (purpose == "coverage" ? ["-profile-generate", "-profile-coverage-mapping"] : [])
  for target in package.targets
  where target.name == "CordonVenues" || target.name == "CordonCore" || target.name == "CordonGeometry" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
  }
  package.targets.append(
    .executableTarget(
      name: "FuzzVenues", dependencies: ["CordonVenues"], path: "Fuzz/Venues",
      swiftSettings: settings + [.unsafeFlags(flags)], linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]))
}
