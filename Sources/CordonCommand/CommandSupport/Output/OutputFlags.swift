import ArgumentParser

/// The flags of commands that write files or folders: the one place of `--force`, `--json` and `--quiet`.
struct OutputFlags: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Replace what exists.")
  var force = false

  @OptionGroup var printing: PrintFlags
}

/// The flags of commands that write nothing and show progress.
struct PrintFlags: ParsableArguments {
  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print no progress, and no summary of a written file.")
  var quiet = false
}

/// Options that include `OutputFlags`.
protocol CarriesOutputFlags {
  var flags: OutputFlags { get }
}

extension CarriesOutputFlags {
  var force: Bool { flags.force }
  var json: Bool { flags.printing.json }
  var quiet: Bool { flags.printing.quiet }
}
