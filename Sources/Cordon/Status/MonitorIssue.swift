/// A problem that prevents data from arriving, with its remedy.
public struct MonitorIssue: Hashable, Sendable, CustomStringConvertible {
  /// A stable name for scripts, such as `reduced-accuracy`.
  public var code: String
  /// The problem, in one sentence for people.
  public var sentence: String
  /// The remedy, in another sentence.
  public var remedy: String

  /// Creates an issue.
  public init(_ code: String, _ sentence: String, remedy: String) {
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }

  /// Both sentences.
  public var description: String { "\(sentence) \(remedy)" }
}
