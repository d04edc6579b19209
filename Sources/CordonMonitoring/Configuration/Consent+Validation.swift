public import CordonCore

/// An incomplete consent: it does not record what the person agreed to.
public enum ConsentError: String, CordonError, Hashable, CaseIterable {
  /// It names no purpose.
  case noPurpose = "no-purpose"
  /// The version of the text is empty, longer than 256 bytes, or holds control characters.
  case badVersion = "bad-version"
  /// The time is not after 1970.
  case badTime = "bad-time"

  /// The fault, in one line.
  public var description: String {
    switch self {
    case .noPurpose: "the consent names no purpose"
    case .badVersion: "the version of the consent's text must have 1 to 256 bytes and no control characters"
    case .badTime: "the consent has no time"
    }
  }

  /// The value that the app has to pass.
  public var remedy: String {
    switch self {
    case .noPurpose: "Pass the purposes that the person agreed to: record, share, everywhere."
    case .badVersion: "Give the text that people agree to a version, such as 2026-01, and pass that."
    case .badTime: "Pass the time at which the person agreed, such as monitor.now.wall."
    }
  }
}

extension Consent {
  /// Checks that the consent names its purposes, the version of the text and the time.
  public func validate() throws(ConsentError) {
    let grants = [record, share, everywhere].compactMap(\.self)
    if grants.isEmpty { throw .noPurpose }
    for grant in grants {
      let scalars = grant.version.unicodeScalars
      guard (1...256).contains(grant.version.utf8.count), !scalars.contains(where: \.isControl),
        scalars.contains(where: { !$0.properties.isWhitespace })
      else { throw .badVersion }
      guard grant.time > .epoch else { throw .badTime }
    }
  }
}
