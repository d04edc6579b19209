import ArgumentParser
import CordonSimulator

/// `cordon validate phones`
struct ValidatePhonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phones",
    abstract: "Hold the error models of phones against measured quantiles: within 15 %.",
    discussion: """
      Draws a hundred thousand errors of each model. Exit status 1 when a figure lies outside of its band.

        cordon validate phones -o phones.html
      """)

  @OptionGroup var destination: ValidationDestination

  func run() throws {
    try destination.put(
      PhoneValidation.cases(), title: "Errors of phones against measured ones", schema: "cordon.validate-phones/1")
  }
}
