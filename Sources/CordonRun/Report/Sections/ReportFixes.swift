/// The outcome of all fixes: a sentence, a bar, the parts, and the delivery of the stored ones.
struct ReportFixes {
  let contents: RunContents

  private struct Part {
    var name: String
    var count: Int
    var colour: Int
  }

  var html: String {
    let accounting = contents.summary.accounting
    var parts = [Part(name: "acknowledged by the server", count: accounting.acknowledged, colour: 1)]
    parts.append(Part(name: "still on a device", count: accounting.onPhone, colour: 2))
    parts.append(Part(name: "quarantined", count: accounting.quarantined, colour: 3))
    parts += RunAccounting.ranked(accounting.expired).map {
      Part(name: "expired: \(words($0.name))", count: $0.count, colour: 4)
    }
    parts.append(Part(name: "erased on withdrawal", count: accounting.erased, colour: 4))
    parts.append(Part(name: "left out by thinning, without new information", count: accounting.thinned, colour: 5))
    for (index, reason) in RunAccounting.ranked(accounting.refused).enumerated() {
      parts.append(Part(name: "rejected: \(words(reason.name))", count: reason.count, colour: min(6 + index, 8)))
    }
    parts.removeAll { $0.count == 0 }
    let segments = parts.map { "<span style=\"--n:\($0.count);--c:var(--a\($0.colour))\"></span>" }.joined()
    let items = parts.map { part in
      """
      <li><span class="key square" style="--c:var(--a\(part.colour))">\(HTMLText.escaped(part.name))</span>\
      <b>\(HTMLText.number(part.count))</b></li>
      """
    }
    return """
      <p class="lead">\(sentence)</p>
      <div class="stack" role="img" aria-label="The parts in proportion; the list below has the numbers">\(segments)</div>
      <ul class="parts">\(items.joined())</ul>
      \(delivery)
      """
  }

  private var sentence: String {
    let accounting = contents.summary.accounting
    guard accounting.fixes > 0 else { return "No fix was delivered." }
    var text =
      "Of \(HTMLText.count(accounting.fixes, "fix", "fixes")), \(HTMLText.number(accounting.stored)) were stored"
    var others: [String] = []
    if accounting.refusedTotal > 0 { others.append("\(HTMLText.number(accounting.refusedTotal)) rejected") }
    if accounting.thinned > 0 {
      others.append("\(HTMLText.number(accounting.thinned)) left out without new information")
    }
    if !others.isEmpty { text += "; \(others.joined(separator: " and "))" }
    text += ". "
    if accounting.stored > 0 {
      text +=
        "The server acknowledged \(Quantity.percent(Double(accounting.acknowledged) / Double(accounting.stored))) of the stored ones"
      text +=
        accounting.onPhone > 0
        ? "; \(HTMLText.number(accounting.onPhone)) still waited on a device when the run ended." : "."
    }
    return text
  }

  private var delivery: String {
    let delivery = contents.summary.delivery
    var items: [(String, String)] = []
    if let requests = delivery.requests {
      let failed =
        delivery.failedRequests.map { $0 > 0 ? ", \(HTMLText.number($0)) of them failed" : ", none failed" } ?? ""
      items.append(("requests", HTMLText.number(requests) + failed))
    }
    if let bytes = delivery.bytesSent { items.append(("sent", Quantity.size(bytes))) }
    if let rows = delivery.rowsReceived {
      let copies = delivery.duplicateRows.map { ", \(HTMLText.number($0)) of these twice" } ?? ""
      items.append(("rows received", HTMLText.number(rows) + copies))
    }
    if let median = delivery.medianDelaySeconds {
      let most = delivery.p95DelaySeconds.map { "; 95 % within \(Quantity.duration($0))" } ?? ""
      items.append(("time to acknowledgement", "half within \(Quantity.duration(median))\(most)"))
    }
    if let made = delivery.notices, let received = delivery.noticesReceived {
      let half = delivery.medianNoticeSeconds.map { ", half of them within \(Quantity.duration($0))" } ?? ""
      let most = delivery.p95NoticeSeconds.map { "; 95 % within \(Quantity.duration($0))" } ?? ""
      items.append(
        ("exposure notices", "\(HTMLText.number(received)) of \(HTMLText.number(made)) arrived\(half)\(most)"))
    }
    guard !items.isEmpty else { return "" }
    let list = items.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }.joined()
    return "<h3 class=\"sub\">Delivery</h3><dl class=\"facts\">\(list)</dl>"
  }

  private func words(_ name: String) -> String { name.replacing("-", with: " ").replacing("_", with: " ") }
}
