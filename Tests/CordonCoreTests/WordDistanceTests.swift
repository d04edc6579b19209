import CordonCore
import CordonSupport
import Testing

@Suite("Edit distance")
struct WordDistanceTests {
  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("port", "port", 0), ("prot", "port", 1), ("find", "fnid", 1), ("size", "sizes", 1),
    ("size", "sise", 1), ("size", "ize", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func editsAreCounted(first: String, second: String, count: Int) {
    #expect(EditDistance.edits(first, second) == count)
    #expect(EditDistance.edits(second, first) == count)
  }

  @Test func onlyTheBeginningsOfLongWordsCount() {
    let long = String(repeating: "a", count: 64)
    #expect(EditDistance.edits(long + "xyz", long + String(repeating: "b", count: 10_000)) == 0)
  }
}
