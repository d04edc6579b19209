package import ArgumentParser

/// A type of values on the command line that describes the forms that it reads.
package protocol DescribedArgument: ExpressibleByArgument {
  /// The name of the value in the help. Options of the type have it, so that a refused value finds its type.
  static var valueName: String { get }
  /// The forms, as the end of "'x' is not ...".
  static var forms: String { get }
}
