/// Something that keeps data from coming, and what to do about it.
public struct MonitorIssue: Hashable, Sendable, CustomStringConvertible {
  /// A stable name for scripts, such as `reduced-accuracy`.
  public var code: String
  /// One sentence for people.
  public var sentence: String
  /// What to do; another sentence.
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
