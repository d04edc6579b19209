import ArgumentParser
import CordonCommandLine
import CordonForms
import CordonSupport

/// The command `cordon form page`.
struct FormPageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Make a page on which people answer a form, without a server.",
    discussion: """
      Example:

        cordon form page screening.json -o screening.html

      The page is one file. It keeps records and drafts in the browser, also without a network, and exports them as JSON lines \
      for `cordon form check --answers`.
      """)

  /// The format of the file.
  enum Format: String, FileFormat, CaseIterable {
    case html

    static var endings: [(ending: String, format: Format)] { [("html", .html)] }
    static var defaultFormat: Format? { .html }
  }

  @OptionGroup(title: "Input") var input: FormInput
  @OptionGroup(title: "Output") var output: RequiredOutputOptions<Format>

  func run() throws {
    _ = try output.format()
    let target = try output.destination(inputs: [input.form])
    let form = try input.read()
    let size = try target.write(FormPage(form).bytes)
    try output.report(
      [
        "schema": "cordon.form-page/1", "form": .string(form.id), "output": .string(target.path),
        "bytes": .integer(Int64(size)),
      ],
      "\(target.path): the page of \(form.id), version \(form.version), \(size) bytes\n")
  }
}
