import ArgumentParser
import CordonConsole
import CordonSimulator

/// The command `cordon validate phones`.
struct ValidatePhonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phones",
    abstract: "Compare positioning error presets with measured quantiles.",
    discussion: """
      Draws a hundred thousand errors of each model. The page shows their distributions with the reference curves and the \
      measured figures. Exit status 1 when a figure differs by more than 15 %; 130 after Ctrl-C, with the models completed \
      so far.

        cordon validate phones -o phones.html
      """)

  @OptionGroup(title: "Output") var destination: ValidationDestination

  func run() throws {
    try destination.check()
    Interruption.watch()
    let progress = ProgressLine(quiet: destination.quiet)
    defer { progress.finish() }
    let result = PhoneValidation.run(
      watch: RunControl(isInterrupted: { Interruption.isRequested }) {
        progress.update(phase: "drawing", done: $0 * 100, total: 100, unit: "%")
      })
    progress.finish()
    try destination.put(
      result.cases, plots: result.plots, isPartial: result.isPartial, title: "Errors of phones against measured ones",
      schema: "cordon.validate-phones/1")
  }
}
