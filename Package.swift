// swift-tools-version: 6.2
import PackageDescription

// MARK: Products, and packages of others

let package = Package(
  name: "Cordon",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    library("Cordon"), library("CordonApple"), library("CordonFHIR"), library("CordonPresence"),
    library("CordonSealing"),
    library("CordonSignIn"), library("CordonTesting"),
    library("CordonVenues", with: ["CordonVenueTools"]), library("CordonContacts"), library("CordonSimulator"),
    .executable(name: "cordon", targets: ["CordonCommand"]),
    .executable(name: "cordon-track", targets: ["CordonTrackCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ]
)

let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let appleShims: Target.Dependency = .target(name: "CordonAppleShims", condition: .when(platforms: [.linux]))

// MARK: Modules; scripts/allowed-imports holds the imports that each may have

package.targets += [
  .systemLibrary(name: "CGEOS", pkgConfig: "geos", providers: [.apt(["libgeos-dev"]), .brew(["geos"])]),
  .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

  // The modules of a phone.
  module("CordonSupport"),
  module("CordonCore"),
  module("CordonGeometry", ["CordonCore", "CordonSupport"]),
  module("CordonMonitoring", ["CordonCore", "CordonGeometry"]),
  // Connections and prepared statements of SQLite, for every file of rows.
  module("CordonSQLite", ["CSQLite"]),
  module("CordonStorage", ["CordonCore", "CordonMonitoring", "CordonSQLite"]),
  module("CordonWire", ["CordonCore", "CordonSupport", "CZlib"]),
  module(
    "Cordon",
    ["CordonCore", "CordonGeometry", "CordonMonitoring", "CordonStorage", "CordonSupport", "CordonWire"]),
  // Apart from the store: apps without sealing link no cryptography. Apple's systems bring their own.
  module(
    "CordonSealing",
    ["CordonMonitoring", .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))]),
  module(
    "CordonApple", ["Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonSignIn", appleShims],
    resources: [.copy("PrivacyInfo.xcprivacy")]),
  // Observations for health platforms.
  module("CordonFHIR", ["Cordon", "CordonCore", "CordonMonitoring", "CordonSupport", "CordonWire"]),
  // Sign-in with OpenID Connect, for the sinks that need it.
  module("CordonSignIn", ["Cordon", "CordonCore", "CordonMonitoring", "CordonSupport", "CordonWire"]),
  // Declarations of Apple's frameworks, for tests of CordonApple on Linux.
  module("CordonAppleShims"),
  module("CordonTesting", ["CordonCore", "CordonGeometry", "CordonMonitoring", "CordonSupport"]),

  // Maps.
  module("CordonNavigation", ["CordonCore", "CordonGeometry"]),
  // Values of YAML files with their lines, for scenarios and overlays.
  module("CordonYAML", ["CordonSupport", yams]),
  module(
    "CordonVenues", ["CordonCore", "CordonGeometry", "CordonNavigation", "CordonSupport", "CGEOS", "CZlib"]),
  // The only reader of YAML among maps: apps that load maps link no YAML.
  module(
    "CordonOverlays", ["CordonCore", "CordonGeometry", "CordonSupport", "CordonVenues", "CordonYAML"]),
  module("CordonVenueTools", ["CordonCore", "CordonGeometry", "CordonSupport", "CordonVenues", "CZlib"]),

  // Contacts, recorded files and replays.
  module("CContactKernel"),
  module("CordonContacts", ["CordonCore", "CordonGeometry", "CContactKernel"]),
  module(
    "CordonExchange",
    ["CordonContacts", "CordonCore", "CordonGeometry", "CordonSupport", "CordonWire", "CZlib"]),
  module(
    "CordonReplay",
    [
      "CordonContacts", "CordonCore", "CordonExchange", "CordonGeometry", "CordonMonitoring", "CordonSupport", yams,
    ]),

  // Home, away and outdoors, visits and trips, from the fixes of one person: no I/O.
  module("CordonPresence", ["CordonCore", "CordonGeometry"]),

  // The balance of carbon dioxide and quanta in spaces: no I/O, no maps, no people who move.
  module("CordonAir", ["CordonCore", "CordonSupport"]),

  // The files of pages as bytes of the program.
  module("CFormPages"),
  // Forms, their answers and records: no I/O.
  module(
    "CordonForms", ["CordonCore", "CordonSupport", "CordonWire", "CFormPages"], exclude: ["Page"]),

  // Records shared by two devices on a LAN: pairing, signed bundles, the list of devices; no I/O.
  module("CordonSharing", ["CordonForms", "CordonSupport", "CordonWire", crypto]),

  // libsecp256k1, which is found when a program runs: nothing is linked, and builds do not need it.
  module("CSecp256k1"),
  // Studies: participants under pseudonyms, reminders, rewards, quality of data: no sockets, no clock.
  module(
    "CordonStudies",
    [
      "CordonCore", "CordonGeometry", "CordonPresence", "CordonSQLite", "CordonSupport", "CordonWire", "CCleanPages",
      "CSecp256k1", crypto,
    ]),

  // Simulations.
  module("CordonCrowd", ["CordonContacts", "CordonCore", "CordonGeometry", "CordonNavigation", "CordonVenues"]),
  module("CReportPages"),
  module(
    "CordonRun",
    ["CordonContacts", "CordonCore", "CordonGeometry", "CordonSQLite", "CordonSupport", "CReportPages"],
    exclude: [
      "Page/report.css", "Page/report.html", "Page/report.js", "Page/study.css", "Parts/parts.js", "Parts/tables.js",
      "Player/Page",
    ].map { "Report/\($0)" }),
  module(
    "CordonSimulator",
    [
      "CordonAir",
      "CordonContacts", "CordonCore", "CordonCrowd", "CordonGeometry", "CordonMonitoring", "CordonNavigation",
      "CordonPresence", "CordonRun", "CordonStorage", "CordonSupport", "CordonVenueTools", "CordonVenues", "CordonWire",
      "CordonYAML",
    ]),

  // The server's core: no sockets, no clock.
  module("CCleanPages", linked: ["sqlite3"]),
  module(
    "CordonIngest",
    [
      "CordonContacts", "CordonCore", "CordonGeometry", "CordonOverlays", "CordonSQLite", "CordonSupport",
      "CordonVenues", "CordonWire", "CCleanPages",
    ]),

  // Accounts, passwords, sessions and OpenID Connect of operators: no sockets, no clock.
  module(
    "CordonOperators", ["CordonCore", "CordonIngest", "CordonSQLite", "CordonSupport", crypto, cryptoExtras]),
  // Forms on a server: versions, keys of collectors, exchange of records; no sockets, no clock.
  module(
    "CordonCollection",
    ["CordonCore", "CordonForms", "CordonIngest", "CordonSQLite", "CordonSupport", "CordonWire", "CCleanPages"]),
  module("CConsolePages"),
  // The pages of the operators' console: values in, documents out.
  module(
    "CordonDashboard", ["CordonRun", "CordonSupport", "CConsolePages"], exclude: ["Assets", "Strings"]),

  // Executables. The tracker is one of its own: `cordon` needs no cryptography.
  module("CordonConsole", ["CordonCore", "CordonSupport", "CordonWire"]),
  module("CordonCommandLine", ["CordonConsole", "CordonCore", "CordonSupport", arguments]),
  module(
    "CordonTracking",
    [
      "Cordon", "CordonConsole", "CordonCore", "CordonFHIR", "CordonGeometry", "CordonMonitoring", "CordonOverlays",
      "CordonPresence", "CordonSignIn", "CordonStorage", "CordonSupport", "CordonVenues", "CordonWire",
    ]),
  executable(
    "CordonTrackCommand",
    [
      "Cordon", "CordonCommandLine", "CordonConsole", "CordonCore", "CordonFHIR", "CordonGeometry", "CordonMonitoring",
      "CordonPresence", "CordonSealing", "CordonSignIn", "CordonStorage", "CordonSupport", "CordonTracking",
      "CordonWire", arguments,
    ]),
  module("CEditorPages"),
  executable(
    "CordonCommand",
    [
      "Cordon", "CordonAir", "CordonCommandLine", "CordonConsole", "CordonContacts", "CordonCore", "CordonCrowd",
      "CordonExchange", "CordonForms", "CordonGeometry", "CordonMonitoring", "CordonNavigation", "CordonOverlays",
      "CordonPresence",
      "CordonReplay", "CordonRun",
      "CordonSimulator", "CordonStorage", "CordonSupport", "CordonTracking", "CordonVenueTools", "CordonVenues",
      "CordonWire", "CEditorPages", arguments,
    ],
    exclude: ["Venue/Editing/Page"]),

  // The fault test of the whole system.
  module("CTortureVFS", path: "Torture/VFS", linked: ["sqlite3"]),
  module(
    "CordonTorture",
    [
      "Cordon", "CordonCollection", "CordonCore", "CordonFHIR", "CordonForms", "CordonGeometry", "CordonIngest",
      "CordonMonitoring", "CordonPresence", "CordonSignIn", "CordonStorage", "CordonStudies", "CordonSupport",
      "CordonTracking", "CordonWire", "CTortureVFS",
    ],
    path: "Torture/Model"),
  executable(
    "cordon-torture", ["CordonConsole", "CordonCore", "CordonSupport", "CordonTorture"], path: "Torture/Command"),

  // The logic of the sample app, whose screens need SwiftUI.
  module(
    "VenueDiarySession", ["Cordon", "CordonApple", "CordonCore", "CordonGeometry", "CordonMonitoring"],
    path: "Samples/VenueDiary/Session"),
  module(
    "WayDiarySession", ["Cordon", "CordonCore", "CordonMonitoring", "CordonPresence", "CordonStorage"],
    path: "Samples/WayDiary/Session"),
]

// MARK: Tests

package.targets += [
  // What test targets share: folders, places, processes, gpsd, help texts.
  module("CordonTestSupport", ["CordonCore", "CordonSupport"], path: "Tests/CordonTestSupport"),
  // The conformance test of stores.
  module(
    "CordonStoreConformance",
    ["CordonContacts", "CordonCore", "CordonIngest", "CordonOperators", "CordonSQLite", "CordonTestSupport"],
    path: "Tests/CordonStoreConformance"),
  // A writer that tests of the store kill.
  executable(
    "CordonCrashWriter", ["CordonCore", "CordonMonitoring", "CordonStorage", "CordonTesting"],
    path: "Tests/CordonCrashWriter"),

  tests("CordonCoreTests", ["CordonCore", "CordonSupport"]),
  tests("CordonGeometryTests", ["CordonCore", "CordonGeometry", "CordonNavigation", "CordonSupport"]),
  tests(
    "CordonVenuesTests",
    [
      "CordonCore", "CordonGeometry", "CordonNavigation", "CordonOverlays", "CordonSupport", "CordonVenueTools",
      "CordonVenues", "CZlib",
    ],
    exclude: ["Corpus"]),
  tests(
    "CordonMonitoringTests",
    ["CordonContacts", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonTesting"]),
  tests(
    "CordonStorageTests",
    [
      "CordonCore", "CordonCrashWriter", "CordonGeometry", "CordonMonitoring", "CordonSQLite", "CordonSealing",
      "CordonStorage", "CordonTesting",
    ]),
  tests(
    "CordonSealingTests",
    ["Cordon", "CordonCore", "CordonMonitoring", "CordonSQLite", "CordonSealing", "CordonStorage", "CordonTesting"]),
  tests(
    "CordonTests",
    ["Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonSupport", "CordonTesting", "CordonWire"]),
  tests(
    "CordonFHIRTests",
    ["Cordon", "CordonCore", "CordonFHIR", "CordonMonitoring", "CordonSupport", "CordonTesting", "CordonWire"],
    exclude: ["validate_bundle.py"]),
  tests(
    "CordonSignInTests",
    [
      "Cordon", "CordonCore", "CordonFHIR", "CordonMonitoring", "CordonSealing", "CordonSignIn", "CordonSupport",
      "CordonTesting", "CordonWire",
    ],
    exclude: ["provider.py"]),
  tests(
    "CordonAppleTests",
    [
      "Cordon", "CordonApple", "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonPresence", "CordonSignIn",
      "CordonTesting",
      "VenueDiarySession", "WayDiarySession", appleShims,
    ]),
  tests(
    "CordonTrackCommandTests",
    [
      "Cordon", "CordonApple", "CordonConsole", "CordonCore", "CordonFHIR", "CordonGeometry", "CordonMonitoring",
      "CordonSignIn", "CordonSupport", "CordonTesting",
      "CordonTrackCommand", "CordonTracking", "CordonWire",
    ]),
  tests("CordonWireTests", ["CordonCore", "CordonWire"]),
  tests("CordonDashboardTests", ["CordonDashboard"]),
  tests("CordonAirTests", ["CordonAir", "CordonCore", "CordonSupport"]),
  tests("CordonFormsTests", ["CordonCore", "CordonForms", "CordonSupport", "CordonWire"]),
  tests(
    "CordonStudiesTests",
    ["CordonCore", "CordonPresence", "CordonSQLite", "CordonStudies", "CordonSupport", "CordonWire", crypto]),
  tests(
    "CordonCollectionTests",
    ["CordonCollection", "CordonCore", "CordonForms", "CordonIngest", "CordonSQLite", "CordonSupport", "CordonWire"]),
  tests("CordonPresenceTests", ["CordonCore", "CordonExchange", "CordonGeometry", "CordonPresence"]),
  tests("CordonContactsTests", ["CordonContacts", "CordonCore", "CordonExchange", "CordonGeometry"]),
  tests(
    "CordonExchangeTests",
    ["CordonContacts", "CordonCore", "CordonExchange", "CordonGeometry", "CordonSupport", "CordonWire"]),
  tests(
    "CordonReplayTests",
    [
      "CordonCore", "CordonExchange", "CordonGeometry", "CordonMonitoring", "CordonReplay", "CordonSupport",
      "CordonTesting",
    ]),
  tests(
    "CordonTortureTests",
    [
      "CordonCore", "CordonForms", "CordonGeometry", "CordonIngest", "CordonMonitoring", "CordonStorage",
      "CordonStudies", "CordonSupport", "CordonTorture", "cordon-torture",
    ]),
  tests(
    "CordonRunTests",
    ["CordonContacts", "CordonCore", "CordonGeometry", "CordonRun", "CordonSQLite", "CordonSupport", "CZlib"]),
  tests(
    "CordonSimulatorTests",
    [
      "CordonAir", "CordonContacts", "CordonCore", "CordonCrowd", "CordonGeometry", "CordonMonitoring",
      "CordonNavigation", "CordonRun", "CordonSimulator", "CordonStorage", "CordonSupport", "CordonTesting",
      "CordonVenueTools", "CordonVenues",
    ]),
  tests(
    "CordonIngestTests",
    [
      "CCleanPages", "CordonContacts", "CordonCore", "CordonGeometry", "CordonIngest", "CordonMonitoring",
      "CordonSQLite", "CordonStoreConformance", "CordonSupport", "CordonTesting", "CordonVenueTools", "CordonVenues",
      "CordonWire",
    ]),
  tests(
    "CordonOperatorsTests",
    ["CordonCore", "CordonIngest", "CordonOperators", "CordonSupport", crypto, cryptoExtras]),
  tests(
    "CordonCommandTests",
    [
      "CordonCommand", "CordonConsole", "CordonContacts", "CordonCore", "CordonExchange", "CordonGeometry",
      "CordonOverlays", "CordonSupport", "CordonVenues",
    ]),
]

// MARK: The server

// It brings 21 packages along that an app never needs, and a trait would not keep them out. A package that depends on this one
// does not fetch them: its copy of this manifest is read out of the repository ("/"), then from a folder of checkouts.
// CORDON_SERVER=1 and =0 decide otherwise, such as for a dependency by path. A Mac needs CORDON_SERVER=1: Hummingbird's
// API begins with macOS 14, that of apps with 13.
let asked = Context.environment["CORDON_SERVER"]
let isDependency = Context.packageDirectory == "/" || Context.packageDirectory.contains("/.build/checkouts/")
#if os(macOS)
  let hasServer = asked == "1"
  if hasServer { package.platforms = [.iOS(.v16), .macOS(.v14)] }
#else
  let hasServer = asked.map { $0 != "0" } ?? !isDependency
#endif
if hasServer {
  package.products += [
    library("CordonServer"), .executable(name: "cordon-server", targets: ["CordonServerCommand"]),
  ]
  package.dependencies += [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ]
  let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
  let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
  let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
  func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }
  package.targets += [
    // The server's OpenAPI document as bytes of the program.
    module("CInterfaceDescription"),
    module(
      "CordonServer",
      [
        "CInterfaceDescription", "Cordon", "CordonCollection", "CordonConsole", "CordonCore", "CordonDashboard",
        "CordonForms", "CordonGeometry", "CordonIngest", "CordonOperators", "CordonSQLite", "CordonStudies",
        "CordonSupport", "CordonVenues", "CordonWire",
        crypto, httpTypes, logging, nio("NIOConcurrencyHelpers"), nio("NIOCore"), nio("NIOHTTP1"), nio("NIOPosix"),
        nioHTTPTypes, .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      exclude: ["Pages/openapi.json"]),
    // The only module with the library of PostgreSQL; a server in another program brings its own store, or uses the file.
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    module(
      "CordonPostgres", ["CordonContacts", "CordonCore", "CordonIngest", "CordonOperators", "CPostgres", crypto]),
    executable(
      "CordonServerCommand",
      [
        "Cordon", "CordonCollection", "CordonCommandLine", "CordonConsole", "CordonCore", "CordonExchange",
        "CordonForms", "CordonGeometry", "CordonIngest", "CordonMonitoring", "CordonNavigation", "CordonOperators",
        "CordonPostgres", "CordonServer", "CordonSharing", "CordonStudies", "CordonSupport", "CordonVenueTools",
        "CordonVenues", "CordonWire", arguments, logging, nio("NIOConcurrencyHelpers"), nio("NIOCore"),
        nio("NIOPosix"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    tests(
      "CordonSharingTests",
      [
        "CordonCore", "CordonForms", "CordonServerCommand", "CordonSharing", "CordonSupport", "CordonWire",
        nio("NIOCore"),
      ]),
    tests(
      "CordonServerTests",
      [
        "CordonCollection", "CordonCommandLine", "CordonConsole", "CordonContacts", "CordonCore", "CordonDashboard",
        "CordonExchange",
        "CordonForms", "CordonGeometry", "CordonIngest", "CordonMonitoring", "CordonOperators", "CordonSQLite",
        "CordonServer", "CordonServerCommand", "CordonStoreConformance", "CordonStudies", "CordonSupport",
        "CordonTesting",
        "CordonVenueTools", "CordonVenues", "CordonWire", httpTypes, logging, nio("NIOCore"), nio("NIOEmbedded"),
        nioHTTPTypes, nio("NIOConcurrencyHelpers"),
      ]),
    tests(
      "CordonPostgresTests",
      [
        "CordonContacts", "CordonCore", "CordonGeometry", "CordonIngest", "CordonOperators", "CordonPostgres",
        "CordonSQLite", "CordonServerCommand", "CordonStoreConformance", "CordonSupport", "CordonTesting",
        "CordonVenues", "CordonWire", crypto,
      ]),
  ]
}

// MARK: Switches

// The benchmarks use package declarations, so they are targets of this package; Benchmarks/build sets the variable.
if Context.environment["CORDON_BENCHMARKS"] != nil {
  package.targets += [
    .systemLibrary(
      name: "CGEOSPeer", path: "Benchmarks/CGEOSPeer", pkgConfig: "geos", providers: [.apt(["libgeos-dev"])]),
    module("Measuring", path: "Benchmarks/Measuring"),
    executable("bench-gate", ["CordonCore", "CordonGeometry", "Measuring", "CGEOSPeer"], path: "Benchmarks/Gate"),
    executable(
      "bench-venues", ["CordonCore", "CordonGeometry", "CordonNavigation", "CordonVenues", "Measuring"],
      path: "Benchmarks/Venues"),
    executable(
      "bench-contacts", ["CordonContacts", "CordonCore", "CordonExchange", "CordonGeometry", "Measuring"],
      path: "Benchmarks/Contacts"),
    executable(
      "bench-simulator",
      [
        "CordonContacts", "CordonCore", "CordonCrowd", "CordonGeometry", "CordonNavigation", "CordonSimulator",
        "CordonVenueTools", "CordonVenues", "Measuring",
      ], path: "Benchmarks/Simulator"),
    executable(
      "bench-sdk",
      [
        "CordonCore", "CordonGeometry", "CordonMonitoring", "CordonSealing", "CordonStorage", "CordonSupport",
        "CordonTesting", "CordonWire",
      ], path: "Benchmarks/SDK"),
    // Two programs whose sizes show what an app pays for the library.
    executable("size-empty", [], path: "Benchmarks/Size/Empty"),
    executable(
      "size-sdk", ["Cordon", "CordonCore", "CordonGeometry", "CordonMonitoring"], path: "Benchmarks/Size/SDK"),
  ]
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
  let read = ["CordonCore", "CordonGeometry", "CordonNavigation", "CordonSupport", "CordonVenues"]
  for target in package.targets where read.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
  }
  package.targets.append(
    .executableTarget(
      name: "FuzzVenues", dependencies: ["CordonVenues"], path: "Fuzz/Venues",
      swiftSettings: [.unsafeFlags(flags)], linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]))
}

// Tests walk crowds and compare millions of contacts: in a checkout of this package, the modules that compute are optimized in debug
// builds too. Assertions stay on. CORDON_OPTIMIZED=0 leaves the optimization out, for a debugger. Packages that depend on this one
// are built without these flags, which SwiftPM would refuse there.
if !isDependency, Context.environment["CORDON_OPTIMIZED"] != "0", Context.environment["CORDON_FUZZ"] == nil {
  let computing: Set<String> = [
    "CordonSupport", "CordonCore", "CordonGeometry", "CordonNavigation", "CContactKernel", "CordonContacts",
    "CordonExchange", "CordonCrowd", "CordonAir",
  ]
  for target in package.targets where computing.contains(target.name) {
    if target.name.hasPrefix("Cordon") {
      let flags = ["-O", "-assert-config", "Debug"]
      target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .debug))]
    } else {
      target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    }
  }
}

// A first look at the program (scripts/release --quick) optimizes only the modules in which a simulation spends its time: the compiler
// needs less than half of the processor time then. The answers are the same.
if !isDependency, Context.environment["CORDON_QUICK"] == "1" {
  let computing: Set<String> = ["CordonSupport", "CordonCore", "CordonGeometry", "CordonNavigation", "CordonCrowd"]
  for target in package.targets where target.name.hasPrefix("Cordon") && !computing.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
  }
}

/// Swift 6 mode, and no warning.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
]
for target in package.targets where target.type != .system {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// MARK: Words of the lists above

/// A product of the module of its name, and of others.
func library(_ name: String, with others: [String] = []) -> Product {
  .library(name: name, targets: [name] + others)
}

/// A module in `Sources`, or in a folder of its own.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, exclude: [String] = [],
  resources: [Resource]? = nil, linked libraries: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

func executable(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, exclude: exclude)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["CordonTestSupport"], exclude: exclude)
}
