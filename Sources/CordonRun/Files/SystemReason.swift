import Foundation

/// Messages for errors of the operating system.
package enum SystemReason {
  /// Returns the system's short text for an error of file access.
  package static func text(of error: any Error) -> String {
    if let own = error as? RunFolderError { return own.message }
    let error = error as NSError
    if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError, underlying.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(underlying.code)))
    }
    if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(error.code))) }
    guard error.domain == NSCocoaErrorDomain else { return error.localizedDescription }
    // Foundation does not always keep the system's error number.
    switch CocoaError.Code(rawValue: error.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: return "no such file or folder"
    case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
    case .fileWriteFileExists: return "a file of that name is in the way"
    case .fileWriteOutOfSpace: return "no space is left"
    case .fileWriteVolumeReadOnly: return "nothing can be written there"
    case .fileReadInvalidFileName, .fileWriteInvalidFileName: return "the name cannot be used"
    case .fileReadUnknown: return "it cannot be read"
    case .fileWriteUnknown: return "it cannot be written"
    default: return error.localizedDescription
    }
  }
}
