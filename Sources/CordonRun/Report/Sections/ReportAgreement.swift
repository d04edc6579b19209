/// A comparison of observed and true contacts by the total contact time of pairs. Empty if the truth is unknown.
struct ReportAgreement {
  let contents: RunContents

  var html: String {
    guard let agreement = contents.summary.agreement, !agreement.classes.isEmpty else { return "" }
    var rows = ""
    for row in agreement.classes {
      rows += """
        <tr><th scope="row">\(range(row))</th>\
        <td class="meter" data-l="found (recall)">\(bar(row.recall, colour: "truth"))</td>\
        <td class="meter" data-l="right (precision)">\(bar(row.precision, colour: "seen"))</td>\
        <td class="n" data-l="true pairs">\(HTMLText.number(row.truePairs))</td>\
        <td class="n" data-l="observed pairs">\(HTMLText.number(row.observedPairs))</td></tr>
        """
    }
    rows += """
      <tr><th scope="row">all</th><td class="meter" data-l="found (recall)">\(bar(agreement.recallSeconds, colour: "truth"))</td>\
      <td class="meter" data-l="right (precision)">\(bar(agreement.precisionSeconds, colour: "seen"))</td>\
      <td class="n" data-l="true pairs">\(HTMLText.number(agreement.classes.reduce(0) { $0 + $1.truePairs }))</td>\
      <td class="n" data-l="observed pairs">\(HTMLText.number(agreement.classes.reduce(0) { $0 + $1.observedPairs }))</td></tr>
      """
    return """
      <section id="agreement" aria-labelledby="agreement-title">
      <div class="head"><h2 id="agreement-title">Observed against true</h2>
      <p>How much of the true contact time was observed, and how much of the observed time was true, by how long a \
      pair was together in all. Among people who carry devices.</p></div>
      <div class="scroll"><table class="rows rates"><thead><tr><th scope="col">time together</th><th scope="col">found (recall)</th>\
      <th scope="col">right (precision)</th><th scope="col" class="n">true pairs</th>\
      <th scope="col" class="n">observed pairs</th></tr></thead><tbody>\(rows)</tbody></table></div>
      </section>
      """
  }

  private func bar(_ share: Double?, colour: String) -> String {
    HTMLText.bar(share ?? 0, amount: share == nil ? "none" : Quantity.percent(share), colour: colour)
  }

  private func range(_ row: RunAgreement.DurationClass) -> String {
    if row.lower <= 0 { return "under \(Quantity.duration(row.upper))" }
    if !row.upper.isFinite { return "\(Quantity.duration(row.lower)) or more" }
    return "\(Quantity.duration(row.lower)) to \(Quantity.duration(row.upper))"
  }
}
