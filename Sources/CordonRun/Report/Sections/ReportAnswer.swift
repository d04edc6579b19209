import CordonCore

/// The top of the report: the sentence on warnings, a picture of it, and the exact figures.
struct ReportAnswer {
  let contents: RunContents

  var html: String {
    let parameters = contents.parameters
    let minutes = parameters.warningThreshold.seconds / 60
    let sentence = WarningSentence(
      contents.summary.agreement, distance: parameters.contactDistance, minutes: minutes)
    let why = """
      If one of two people turns out to be ill, the other should be warned when they spent \
      \(WarningSentence.plain(minutes))\u{a0}minutes or more, in all, within \
      \(WarningSentence.plain(parameters.contactDistance))\u{a0}m of each other. Only people who carry a device can be found.
      """
    let picture = sentence.counts.map { ReportAnswer.picture(found: $0.found, needless: $0.needless) } ?? ""
    return """
      <div class="answer"><div><p class="say">\(emphasized(sentence))</p><p class="why">\(why)</p>\(figures)</div>\(picture)</div>
      """
  }

  private func emphasized(_ sentence: WarningSentence) -> String {
    // A number and its unit stay on one line.
    guard let counts = sentence.counts else {
      return HTMLText.escaped(sentence.text.replacing(" m of", with: "\u{a0}m of"))
    }
    let needless = counts.needless == 0 ? "nobody" : "<i>\(counts.needless)</i>"
    return
      "Of every 100 people who should be warned, <b>\(counts.found)</b> would be; \(needless) would be warned needlessly."
  }

  /// Returns a hundred dots for the people to warn, and one more for each needless warning.
  private static func picture(found: Int, needless: Int) -> String {
    let perRow = 10
    let extras = min(needless, 100)
    let extraRows = (extras + perRow - 1) / perRow
    let height = 200 + (extraRows > 0 ? 10 + extraRows * 20 : 0)
    var dots = ""
    for index in 0..<100 {
      let (x, y) = (10 + index % perRow * 20, 10 + index / perRow * 20)
      dots +=
        "<circle class=\"\(index < found ? "yes" : "no")\" cx=\"\(x)\" cy=\"\(y)\" r=\"\(index < found ? 7 : 6)\"/>"
    }
    for index in 0..<extras {
      dots += "<circle class=\"extra\" cx=\"\(10 + index % perRow * 20)\" cy=\"\(220 + index / perRow * 20)\" r=\"7\"/>"
    }
    let more = needless > extras ? " (100 of them drawn)" : ""
    var keys = "<span class=\"key truth\">\(found) rightly warned</span>"
    if found < 100 { keys += "<span class=\"key hollow\">\(100 - found) missed</span>" }
    if needless > 0 { keys += "<span class=\"key seen\">\(needless) warned needlessly\(more)</span>" }
    return """
      <figure class="hundred"><svg viewBox="0 0 200 \(height)" role="img" \
      aria-label="\(found) of 100 dots are filled; \(needless) more stand for needless warnings">\(dots)</svg>\
      <figcaption>\(keys)</figcaption></figure>
      """
  }

  private var figures: String {
    let summary = contents.summary
    var items: [(String, String, String)] = []
    if let agreement = summary.agreement {
      let minutes = WarningSentence.plain(contents.parameters.warningThreshold.seconds / 60)
      items += [
        (
          "Found", Quantity.percent(agreement.recallPairs),
          "\(HTMLText.number(agreement.commonPairs)) of \(HTMLText.count(agreement.truePairs, "pair", "pairs")) of \(minutes) min (recall)"
        ),
        (
          "Right when found", Quantity.percent(agreement.precisionPairs),
          "\(HTMLText.number(agreement.commonPairs)) of \(HTMLText.count(agreement.observedPairs, "pair", "pairs")) observed (precision)"
        ),
        (
          "Contact time found", Quantity.percent(agreement.recallSeconds),
          "of \(Quantity.duration(agreement.trueSeconds)) in all (recall)"
        ),
        (
          "Contact time right", Quantity.percent(agreement.precisionSeconds),
          "of \(Quantity.duration(agreement.observedSeconds)) observed (precision)"
        ),
      ]
    } else {
      items += [
        ("Contacts", HTMLText.number(summary.observedContacts), "observed among devices"),
        ("Devices", HTMLText.number(summary.devices), "took part"),
      ]
    }
    let cells = items.map { "<div><dt>\($0.0)</dt><dd>\($0.1) <small>\($0.2)</small></dd></div>" }
    return "<dl class=\"figures\">\(cells.joined())</dl>"
  }
}
