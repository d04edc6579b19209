import CordonCrowd
import CordonSimulator
import CordonTestSupport
import Foundation
import Testing

/// The published tests of evacuation models, with fewer people in the largest ones.
@Suite("Validation of evacuations")
struct EvacuationValidationTests {
  private static let validation = EvacuationValidation(model: CrowdMovement(), scale: 0.1)

  @Test(arguments: EvacuationValidation.names) func everyCasePasses(name: String) throws {
    let cases = try Self.validation.run(only: [name])
    #expect(!cases.isEmpty)
    for item in cases {
      #expect(item.verdict == .pass, "\(item.id): \(item.value) \(item.unit) not in \(item.band)")
      #expect(EvacuationValidation.caseIDs.contains(item.id))
    }
  }

  /// The documentation contains each case.
  @Test func everyCaseIsDocumented() throws {
    let page = try String(
      contentsOf: Places.package.appendingPathComponent("docs/records/validation.md"), encoding: .utf8)
    for id in EvacuationValidation.caseIDs { #expect(page.contains("`\(id)`"), "\(id)") }
  }

  /// An interrupted validation has no case, and no verdict without movement is a pass.
  @Test func nothingPassesWithoutMovement() throws {
    var still = Self.validation
    still.isInterrupted = { true }
    #expect(try still.run(only: ["lost-exit"]).isEmpty)
  }
}
