import CordonCore

extension TortureCommand {
  /// Enables a deliberate bug; ordinary builds have none.
  static func activate(_ name: String?) throws {
    guard let name else { return }
    #if CORDON_BUGS
      guard let bug = DeliberateBug(rawValue: name) else {
        throw Usage(
          description:
            "there is no bug \(name); there are \(DeliberateBug.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      DeliberateBug.active = bug
    #else
      throw Usage(description: "\(name): this build has no deliberate bugs (set CORDON_BUGS and build again)")
    #endif
  }
}
