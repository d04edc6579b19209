import CordonCore
import Testing

@testable import CordonVenues

/// Circular references end, both in the reader and in code that follows them in the venue.
struct ReferenceCycleTests {
  private func mended(_ parents: [(String, String?)]) -> (parents: [String?], codes: [String], objects: [String?]) {
    var categories = parents.map { PointOfInterestCategory(id: $0.0, parent: $0.1) }
    var findings = FindingLog()
    CategoryTree.mend(&categories, file: "x", findings: &findings)
    let told = findings.finished()
    return (categories.map(\.parent), told.map(\.code), told.map(\.object))
  }

  @Test func oneParentOfEveryCycleIsRemoved() {
    let circle = mended([("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("e", nil)])
    #expect(circle.parents == ["b", "c", nil, "a", nil])
    #expect(circle.codes == ["reference-cycle"] && circle.objects == ["c"])
    let own = mended([("a", "a"), ("b", "a")])
    #expect(own.parents == [nil, "a"] && own.codes == ["reference-cycle"])
    let two = mended([("x", "a"), ("a", "b"), ("b", "a"), ("p", "q"), ("q", "p")])
    #expect(two.parents == ["a", "b", nil, "q", nil] && two.codes.count == 2)
    let absent = mended([("a", "gone"), ("b", "a")])
    #expect(absent.parents == [nil, "a"] && absent.codes == ["dangling-reference"])
  }

  @Test func aTreeIsUnchanged() {
    let tree = mended([("leaf", "twig"), ("twig", "root"), ("root", nil), ("other", "root")])
    #expect(tree.parents == ["twig", "root", nil, "root"] && tree.codes.isEmpty)
  }

  @Test func aBundleWithManyCyclesIsRead() throws {
    var files = MVF3Fixture().files
    files["location-categories.json"] = """
      [{"id":"lcat_1","parent":"lcat_2","details":{"name":"A"}},{"id":"lcat_2","parent":"lcat_1","details":{"name":"B"}}]
      """
    files["location-instances.json"] = """
      [{"id":"i1","parentId":"i2"},{"id":"i2","parentId":"i1"}]
      """
    files["floor-stacks.json"] = #"[{"id":"fs_1","floors":["f_0","f_1","f_0","f_1"],"details":{"name":"House"}}]"#
    files["nodes/f_1.json"] = Drawing.collection([
      Drawing.feature(Drawing.point(15, 8), #""id":"n_9","neighbors":[{"id":"n_9"},{"id":"n_9"}]"#)
    ])
    let loaded = try Drawing.load(files)
    #expect(loaded.count("reference-cycle") == 1)
    for category in loaded.venue.categories {
      var above: String? = category.id
      var steps = 0
      while let id = above, steps <= loaded.venue.categories.count {
        above = loaded.venue.categories.first { $0.id == id }?.parent
        steps += 1
      }
      #expect(above == nil, "\(category.id) has no top")
    }
    #expect(try loaded.venue.boundary().squareMetres > 0)
    #expect(throws: Never.self) { try VenuePlan(loaded.venue) }
  }
}
