/// The gaps of the map and the assumptions of the run, in words. Empty if there are none.
struct ReportAssumptions {
  let contents: RunContents

  /// The number of sentences of a kind that are always visible.
  private static let visible = 6

  var html: String {
    let map = contents.connectivity
    let warnings = map?.warnings ?? []
    let parts = [
      map.map { "<p>The map: \(HTMLText.escaped($0.sentence)).</p>" } ?? "",
      list("Problems of the map", warnings, style: "warnings"),
      list("Assumed, because the map does not say", map?.assumptions ?? []),
      list("About this run", contents.notes),
    ].filter { !$0.isEmpty }
    guard !parts.isEmpty else { return "" }
    return """
      <section id="assumptions" aria-labelledby="assumptions-title">
      <h2 id="assumptions-title" class="quiet">Gaps of the map, and assumptions</h2>
      \(parts.joined(separator: "\n"))
      </section>
      """
  }

  private func list(_ title: String, _ sentences: [String], style: String = "") -> String {
    guard !sentences.isEmpty else { return "" }
    func items(_ part: ArraySlice<String>) -> String {
      "<ul\(style.isEmpty ? "" : " class=\"\(style)\"")>"
        + part.map { "<li>\(HTMLText.escaped(ReportAssumptions.capitalized($0)))</li>" }.joined() + "</ul>"
    }
    let rest = sentences.dropFirst(ReportAssumptions.visible)
    let more =
      rest.isEmpty
      ? ""
      : "<details><summary>\(HTMLText.count(rest.count, "more", "more"))</summary>\(items(rest))</details>"
    return "<h3>\(title)</h3>\(items(sentences.prefix(ReportAssumptions.visible)))\(more)"
  }

  /// Returns a sentence with a capital letter and a full stop.
  private static func capitalized(_ text: String) -> String {
    let first = text.prefix(1).uppercased() + text.dropFirst()
    return first.last.map { ".!?".contains($0) } ?? true ? first : first + "."
  }
}
