import CordonForms
import CordonSupport
import CordonTestSupport
import CordonWire
import Foundation
import Testing

@Suite("Output of forms")
struct FormOutputTests {
  @Test func theSwiftSourceCompilesAndSpeaksTheSameJSON() throws {
    let compiler = try #require(TestProcess.tool("swiftc") ?? Self.swiftc())
    let folder = try TemporaryFolder()
    let form = try SampleForm.form()
    let source = FormSwiftSource(form).text
    let valid = FormValidation(SampleForm.answers, of: form, today: SampleForm.today).answers.json.text()
    let program =
      source + """

        let valid = try JSONDecoder().decode(ClinicVisit.self, from: Data(CommandLine.arguments[1].utf8))
        var broken = valid
        broken.temperature = 50
        broken.clinic = nil
        broken.contacts[1].minutes = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(valid.issues().isEmpty, broken.issues().map(\\.path).joined(separator: " "))
        print(String(decoding: try encoder.encode(valid), as: UTF8.self))
        """
    let file = folder.url.appendingPathComponent("main.swift")
    try Data(program.utf8).write(to: file)
    let binary = folder.url.appendingPathComponent("main")
    let built = try TestProcess.run(
      compiler, ["-swift-version", "6", "-warnings-as-errors", file.path, "-o", binary.path])
    #expect(built.status == 0, "\(built.errors)")
    let result = try TestProcess.run(binary, [valid])
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "true temperature clinic contacts[1].minutes", "\(result.output) \(result.errors)")
    let encoded = try JSONReader.value(of: Array((lines.last ?? "").utf8))
    #expect(FormValidation(encoded, of: form, today: SampleForm.today).answers.json.text() == valid)
  }

  private static func swiftc() -> URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
      URL(fileURLWithPath: "\($0)/swiftc")
    }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  @Test func hostileLabelsStayText() throws {
    let form = try Form(
      json: [
        "form": "f", "version": 1, "title": "*/ import Glibc \n exit(1)",
        "items": [
          [
            "name": "class", "type": "choice", "label": "a\nb \u{2028} c",
            "options": ["\"); exit(1); (\"", "default", "Default", "?"],
          ],
          ["name": "self", "type": "text", "default": "\\(exit(1)) \"quoted\""],
        ],
      ])
    let source = FormSwiftSource(form).text
    let code = source.split(separator: "\n", omittingEmptySubsequences: false).filter {
      !$0.drop { $0 == " " }.hasPrefix("//")
    }
    #expect(!code.joined(separator: "\n").contains("import Glibc"))
    #expect(source.contains("public var `class`: Class?") && source.contains(#"= "\\(exit(1)) \"quoted\"""#))
    #expect(source.contains(#"case option1 = "\"); exit(1); (\"""#) || source.contains(#"= "\"); exit(1); (\"""#))
    #expect(source.contains(#"case option2 = "default""#) && source.contains(#"case option3 = "Default""#))
  }

  @Test func aSummaryCountsByType() throws {
    let form = try SampleForm.form()
    let records = (0..<40).map { index -> FormAnswers in
      FormValidation(
        SampleForm.answers.with("temperature", .number(36 + Double(index) / 10))
          .with("clinic", index < 30 ? "north" : "west"), of: form, today: SampleForm.today
      ).answers
    }
    let summary = FormSummary(records, of: form)
    #expect(summary.records == 40)
    guard case .numbers(let minimum, let maximum, let mean, let median, let bins)? = summary.fields.first?.distribution
    else {
      Issue.record("no numbers")
      return
    }
    #expect(minimum == 36 && maximum == 39.9 && abs(mean - 37.95) < 1e-9 && abs(median - 37.95) < 1e-9)
    #expect(bins.map(\.count).reduce(0, +) == 40 && bins.first?.from == 36 && bins.map(\.to).contains(37.5))
    let clinic = try #require(summary.fields.first { $0.names == ["clinic"] })
    #expect(
      clinic.distribution
        == .options(
          [("north", 30), ("south", 0), ("east", 0), ("west", 10)].map { FormSummary.Count(value: $0.0, count: $0.1) }))
    let minutes = try #require(summary.fields.first { $0.names == ["contacts", "minutes"] })
    #expect(minutes.answered == 80)
    let since = try #require(summary.fields.first { $0.names == ["since"] })
    #expect(since.distribution == .days([.init(value: "2026-01-28", count: 40)]))
    #expect(summary.json["records"] == 40)
  }

  /// A device can answer with any number; those at the ends of what a number can be have classes too.
  @Test(arguments: [[1e300], [1.7e308], [-1.7e308, 1.7e308], [0, 1e300], [1e-307, 1e-300], [-1e300, -1e299, 3]])
  func extremeNumbersHaveClasses(numbers: [Double]) throws {
    let form = try Form(
      json: ["form": "f", "version": 1, "title": "F", "items": [["name": "n", "type": "number"]]])
    let records = numbers.map { FormValidation(["n": .number($0)], of: form, today: SampleForm.today).answers }
    guard case .numbers(_, _, _, _, let bins)? = FormSummary(records, of: form).fields.first?.distribution else {
      Issue.record("no numbers")
      return
    }
    #expect(bins.map(\.count).reduce(0, +) == numbers.count)
    #expect(bins.allSatisfy { $0.from.isFinite && $0.to.isFinite })
    #expect(FormCharts(records, days: [], of: form).charts.count == 1)
  }
}
