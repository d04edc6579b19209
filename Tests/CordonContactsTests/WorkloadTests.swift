import CordonContacts
import CordonCore
import CordonExchange
import Foundation
import Testing

/// The published answers for the generated workloads, where a folder with them is named.
@Suite struct WorkloadTests {
  struct Answer: Sendable {
    var name: String
    var gap: Int64
    var pairs: Int
    var contacts: Int
    var seconds: Double
    var longPairs: Int
  }

  static let folder = ProcessInfo.processInfo.environment["CORDON_WORKLOADS"]

  static let answers = [
    Answer(name: "w1", gap: 3_000, pairs: 14_465, contacts: 32_754, seconds: 212_824.115, longPairs: 0),
    Answer(name: "w1a", gap: 3_000, pairs: 14_376, contacts: 34_549, seconds: 226_392.386, longPairs: 0),
  ]

  @Test(.enabled(if: folder != nil, "set CORDON_WORKLOADS to the folder of the generator"), arguments: answers)
  func theAnswerIsTheReference(answer: Answer) throws {
    let points = try WorkloadFile.read(path: "\(Self.folder ?? "")/\(answer.name).bin")
    let tracks = ObservedTracks(points, maximumGap: .milliseconds(answer.gap))
    var summary = ContactSummary()
    ContactFinder(distance: 2).contacts(in: tracks, into: &summary)
    #expect(summary.pairs == answer.pairs)
    #expect(summary.contacts == answer.contacts)
    #expect(abs(summary.overlapSeconds / answer.seconds - 1) < 1e-6)
    #expect(summary.pairsOf15Minutes == answer.longPairs)
  }
}
