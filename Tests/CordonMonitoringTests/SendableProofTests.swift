import Foundation
import Testing

@Suite("Proofs of @unchecked Sendable")
struct SendableProofTests {
  /// Every `@unchecked Sendable` of the package states at its declaration why it holds.
  @Test func everyUncheckedSendableIsProved() throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    // In two parts, so that this file does not match.
    let claim = ": " + "@unchecked Sendable"
    let proofs = ["`@unchecked Sendable` holds because", "Sendable without the compiler's proof"]
    var found = 0
    for folder in ["Sources", "Simulator", "Torture", "Samples", "Tests", "Benchmarks/SDK"] {
      let place = root.appendingPathComponent(folder)
      let files = try #require(FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        for (number, line) in lines.enumerated()
        where line.contains(claim) || line.contains(claim.replacingOccurrences(of: ":", with: ",")) {
          found += 1
          // The comment right above the declaration.
          var comment = ""
          var above = number - 1
          while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("//") {
            comment = lines[above] + " " + comment
            above -= 1
          }
          #expect(proofs.contains { comment.contains($0) }, "\(file.lastPathComponent):\(number + 1) has no proof")
        }
      }
    }
    #expect(found > 25)
  }
}
