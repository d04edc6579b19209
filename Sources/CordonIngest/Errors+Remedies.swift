import CordonCore

extension StoreFault: CordonError {
  /// The remedy for the operator.
  package var remedy: String {
    switch kind {
    case .full: "Make room on the disk of the data folder."
    case .busy: "Stop the other process that holds the store."
    case .corrupt: "Restore the store from a backup."
    case .newerVersion: "Update the server."
    case .interrupted: "Ask again, for a shorter span of time; if it lasts, check the load of the server."
    case .unavailable: "Check that the database runs and can be reached from this machine."
    case .failed: "Check the data folder, its owner and its disk."
    }
  }
}

extension TokenFault: CordonError {
  /// The fault of the token.
  package var description: String {
    switch self {
    case .malformed: "the token is not a device token"
    case .header: "the token names an unknown key or another algorithm"
    case .signature: "the token's signature is not this server's"
    case .expired: "the token has expired"
    case .early: "the token is not valid yet"
    }
  }

  /// The remedy for the device.
  package var remedy: String {
    switch self {
    case .malformed, .header, .signature: "Activate the device again at this server."
    case .expired: "Ask for a new token with the device's secret."
    case .early: "Set the clocks of device and server."
    }
  }
}

extension Problem: CordonError {
  /// `bad-json: what is wrong`.
  package var description: String { "\(code.rawValue): \(detail)" }

  /// The remedy for the client.
  package var remedy: String {
    switch status {
    case 401: "Send valid credentials."
    case 403: "Use credentials that may do this."
    case 405: "Use one of the methods that the address knows."
    case 429, 503: "Wait, and send the request again."
    case 500...: "Send the request again; if it fails again, inform the operator of the server."
    default: "Correct the request."
    }
  }
}
