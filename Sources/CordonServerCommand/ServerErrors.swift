import CordonCommandLine
import CordonConsole
import CordonIngest
import CordonServer
import CordonStudies

extension CommandError {
  /// An error of the input of a server command.
  init(_ message: String) { self.init(message, code: "input") }
}

extension DataFolder.Fault: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "data-folder") }
}

extension ChainKeyError: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "payment-key") }
}

extension StoreFault: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "store") }
}

extension VenueCatalog.Conflict: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "venue-conflict") }
}

extension CertificateFault: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "certificate") }
}

extension ListenFault: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "listen") }
}

extension SignalPipe.Unavailable: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "signals", status: .internal) }
}

extension ConfigurationError: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "bad-configuration") }
}

extension StoreCopy.Failure: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "copy") }
}

extension WebhookQueueFault: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "webhook-queue") }
}

extension SpaceCapacities.Fault: CommandErrorConvertible {
  var commandError: CommandError { CommandError("\(self)", code: "capacities") }
}
