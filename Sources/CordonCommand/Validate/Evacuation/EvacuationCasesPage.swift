import CordonSimulator
import CordonSupport

/// The cases of an evacuation validation as lines, objects and one page.
struct EvacuationCasesPage {
  let model: String
  let cases: [EvacuationCase]
  var isPartial = false

  /// Returns the verdict for readers.
  private static func words(_ verdict: EvacuationCase.Verdict) -> String {
    switch verdict {
    case .pass: "pass"
    case .fail: "FAIL"
    case .notModelled: "not modelled"
    }
  }

  private static func band(_ item: EvacuationCase) -> String {
    "\(MovementPage.plain(item.band.lowerBound)) to \(MovementPage.plain(item.band.upperBound))"
  }

  /// Returns a case as one line.
  static func line(_ item: EvacuationCase) -> String {
    guard item.isModelled else { return "none  \(item.id)  \(item.title): \(item.criterion)\n" }
    let unit = item.unit.isEmpty ? "" : " \(item.unit)"
    return
      "\(words(item.verdict))  \(item.id)  \(MovementPage.plain(item.value))\(unit) (\(band(item)))  \(item.title)\n"
  }

  /// Returns a case as an object.
  static func object(_ item: EvacuationCase) -> JSONValue {
    [
      "id": .string(item.id), "title": .string(item.title), "criterion": .string(item.criterion),
      "value": item.value.isFinite ? .number(item.value) : .null, "unit": .string(item.unit),
      "band": item.isModelled ? [.number(item.band.lowerBound), .number(item.band.upperBound)] : .null,
      "verdict": .string(item.verdict.rawValue),
    ]
  }

  var html: String {
    let rows = cases.map { item in
      (
        style: item.verdict == .pass ? "pass" : item.verdict == .fail ? "fail" : "",
        cells: [
          MarkupText.escaped(item.id), MarkupText.escaped(item.title), MarkupText.escaped(item.criterion),
          item.isModelled ? "\(MovementPage.plain(item.value)) \(MarkupText.escaped(item.unit))" : "-",
          item.isModelled ? Self.band(item) : "-", Self.words(item.verdict),
        ]
      )
    }
    let passed = cases.count { $0.verdict == .pass }
    let modelled = cases.count { $0.isModelled }
    return StudyPage.html(
      title: "Evacuation: \(model)", kind: "validation",
      body: """
        \(isPartial ? "<p class=\"no\">\(MovementPage.partialNote)</p>" : "")
        <p class="lead">\(passed) of \(modelled) cases pass; \(cases.count - modelled) are about what the model does not contain.</p>
        <p>Published tests for evacuation models: NIST Technical Note 1822 (nist) and the RiMEA guideline (rimea). \
        They verify parts of the model. They do not show that it predicts a building.</p>
        \(StudyPage.table(
          [
            .text("case"), .text("what", style: "words"), .text("criterion", style: "words"), .number("value"),
            .number("band"), .text("verdict", style: "verdict"),
          ], rows))
        """)
  }
}
