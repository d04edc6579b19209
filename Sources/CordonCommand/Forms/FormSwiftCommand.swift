import ArgumentParser
import CordonCommandLine
import CordonForms
import CordonSupport

/// The command `cordon form swift`.
struct FormSwiftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Make typed Swift source for the answers of a form.",
    discussion: """
      Example:

        cordon form swift screening.json -o Screening.swift

      The source needs Foundation only: Codable values with one property for each field, and a check of required fields, \
      bounds and lengths.
      """)

  /// The format of the file.
  enum Format: String, FileFormat, CaseIterable {
    case swift

    static var endings: [(ending: String, format: Format)] { [("swift", .swift)] }
    static var defaultFormat: Format? { .swift }
  }

  @OptionGroup(title: "Input") var input: FormInput
  @OptionGroup(title: "Output") var output: OutputOptions<Format>

  func run() throws {
    let target = try output.destination(inputs: [input.form])
    let form = try input.read()
    let source = FormSwiftSource(form).text
    guard let target else {
      guard output.json else { return try Output.print(data: source) }
      return try Output.print(
        ["schema": "cordon.form-swift/1", "form": .string(form.id), "output": nil, "source": .string(source)])
    }
    try target.file.write(Array(source.utf8))
    try output.report(
      ["schema": "cordon.form-swift/1", "form": .string(form.id), "output": .string(target.file.path), "source": nil],
      "\(target.file.path): \(form.allFields.count) fields of \(form.id), version \(form.version)\n")
  }
}
