import CordonTestSupport
import Testing

/// The program distinguishes a mistyped command from a stray argument, and suggests the nearest one.
struct CommandGuessTests {
  @Test(arguments: [
    (["venue", "validat", "map.zip"], "unknown command 'cordon venue validat' (did you mean 'validate'?)"),
    (["veneu", "info"], "unknown command 'cordon veneu' (did you mean 'venue'?)"),
    (["venue", "line-of-sigt"], "did you mean 'line-of-sight'?"),
    (["venue", "x"], "unknown command 'cordon venue x'; see 'cordon venue --help'"),
  ])
  func theNearestCommandIsSuggested(arguments: [String], says: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  /// When a mistyped option was meant to be a required one, the error names the typing error.
  @Test(arguments: [
    (
      ["contacts", "backtrace", "points.csv", "--indx", "d0"],
      "unknown option '--indx' (did you mean '--index'?); see 'cordon contacts backtrace --help'"
    ),
    (["contacts", "backtrace", "points.csv", "--indx=d0"], "unknown option '--indx' (did you mean '--index'?)"),
    (["contacts", "backtrace", "points.csv", "--zzzzzzzz", "d0"], "unknown option '--zzzzzzzz'; see"),
    (["contacts", "backtrace", "points.csv", "--onset", "2026-03-02"], "missing expected argument '--index"),
  ])
  func theNearestOptionIsSuggested(arguments: [String], says: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
  }

  /// A refused value names the forms that its type reads.
  @Test(arguments: [
    (
      ["contacts", "occupancy", "points.csv", "--bin", "3x"],
      "--bin: '3x' is not a duration: 90 (seconds), 500ms, 30s, 5m, 2h, 1h30m or 1d; see 'cordon contacts occupancy --help'"
    ),
    (
      ["contacts", "find", "p.csv", "--maximum-gap=soon"],
      "--maximum-gap: 'soon' is not a duration such as 30s, or auto"
    ),
    (
      ["contacts", "find", "p.csv", "--distance", "2km"],
      "--distance: '2km' is not a distance in metres: 2, 2m or 1.8288m"
    ),
    (["contacts", "find", "p.csv", "--time-zone", "Berlin"], "--time-zone: 'Berlin' is not a time zone"),
    (
      ["contacts", "find", "p.csv", "--rule", "exat"],
      "is not one of exact, sampled, probable, published-minutes (did you mean 'exact'?)"
    ),
    (["replay", "w.gpx", "--sink", "ftp://x"], "--sink: 'ftp://x' is not memory, file=PATH or cordon=URL"),
  ])
  func theFormsOfAValueAreNamed(arguments: [String], says: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
  }

  /// The parser's own messages, which are passed on: a new version that words them differently is noticed here.
  @Test(arguments: [
    (
      ["venue", "locate", "map.zip"],
      "cordon: missing expected argument '--points <file>'; see 'cordon venue locate --help'\n"
    ),
    (["venue", "info"], "cordon: missing expected argument '<venue>'; see 'cordon venue info --help'\n"),
    (
      ["venue", "locate", "map.zip", "--points"],
      "cordon: missing value for '--points <file>'; see 'cordon venue locate --help'\n"
    ),
    (
      ["simulate", "map.zip", "--people", "many"],
      "cordon: the value 'many' is invalid for '--people <count>'; see 'cordon simulate --help'\n"
    ),
    (["venue", "info", "map.zip", "more"], "cordon: unexpected argument 'more'; see 'cordon venue info --help'\n"),
    (["venue", "info", "map.zip", "-x"], "cordon: unknown option '-x'; see 'cordon venue info --help'\n"),
  ])
  func messagesOfTheParserAreAsReviewed(arguments: [String], message: String) throws {
    let result = try CordonProcess.run(arguments)
    #expect(result.status == 2 && result.errors == message, "\(result.errors)")
  }

  /// A number without a unit is one of seconds, or of metres.
  @Test func unitsMayBeOmitted() throws {
    let scratch = try TemporaryFolder()
    let points = try scratch.write(
      "device,time,x,y\na,2026-01-01T08:00:00Z,0,0\na,2026-01-01T08:00:10Z,0,0\nb,2026-01-01T08:00:00Z,1,0\nb,2026-01-01T08:00:10Z,1,0\n",
      to: "p.csv")
    let bare = try CordonProcess.run(
      ["contacts", "find", points, "--distance", "2", "--maximum-gap", "30", "--json", "--metres"])
    let units = try CordonProcess.run(
      ["contacts", "find", points, "--distance", "2m", "--maximum-gap", "30s", "--json", "--metres"])
    #expect(bare.status == 0)
    #expect(try bare.json()["max_gap_s"] as? Double == 30)
    #expect(try units.json()["max_gap_s"] as? Double == 30)
  }

  @Test func existingCommandsGetNoSuggestion() throws {
    let result = try CordonProcess.run(["venue", "info", "nowhere.zip", "more"])
    #expect(result.status == 2 && !result.errors.contains("unknown command"), "\(result.errors)")
  }
}
