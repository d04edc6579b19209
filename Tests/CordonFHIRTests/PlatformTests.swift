import Cordon
import CordonCore
import CordonFHIR
import CordonTestSupport
import Foundation
import Testing

/// Bundles validated by the packages `fhir.resources` and `omh-shim` of PyPI, which `scripts/setup --tests` installs.
@Suite("Bundles by the models of others")
struct PlatformTests {
  static let python = Places.file(".build/health/bin/python").path
  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: python) }

  @Test(.enabled(if: isAvailable, "scripts/setup --tests installs fhir.resources"), arguments: FHIRVersion.allCases)
  func bundlesAreValid(version: FHIRVersion) throws {
    let folder = try TemporaryFolder()
    let rows = try Samples.locations(3, restsFor: .minutes(4))
    var observations = rows.flatMap(FHIRObservation.positions)
    observations += rows.compactMap(FHIRObservation.rest)
    let device = try #require(rows.first).device
    observations.append(
      .dayTotal(
        "outdoors", text: "Time outdoors", device: device, minutes: 137.5, start: rows[0].time,
        end: rows[0].time + .hours(24), revision: 1))
    let target = try Samples.target(.timeInterval, version, hasIEEECode: true)
    let file = folder.path("bundle.json")
    try Data(FHIRBundle.encode(observations, for: target)).write(to: URL(fileURLWithPath: file))
    let script = Places.file("Tests/CordonFHIRTests/validate_bundle.py").path
    let child = try Child(PlatformTests.python, [script, version.rawValue, file])
    let errors = FileHandle(fileDescriptor: child.errors, closeOnDealloc: false)
    let output = FileHandle(fileDescriptor: child.output, closeOnDealloc: false)
    let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
    let reason = String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
    #expect(child.wait() == 0, "\(reason)")
    #expect(text.contains("10 observations"), "\(text)")
  }
}
