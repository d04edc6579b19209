import CordonCommandLine
import CordonConsole
import CordonServer
import CordonStudies

extension SettingsFile {
  /// The settings of studies.
  static var studies: [Entry] {
    [
      .flag("studies", "hold studies with participants under pseudonyms", \.server.studies.isOn),
      .text(
        "study-vault", "folder of the identities of participants and their key, by default the data folder",
        \.server.studies.vaultFolder),
      .text(
        "study-push-file", "file that gets a line for each push message, by default push.jsonl in the data folder",
        \.server.studies.pushFile),
      address("study-payment-url", "provider of payments; https, or http on loopback", \.server.studies.paymentURL),
      Entry(
        "study-payment-token", "bearer token of the provider", isSecret: true,
        shown: { $0.server.studies.paymentToken }
      ) { $0.server.studies.paymentToken = $1 },
      address(
        "study-chain-node", "JSON-RPC of a node of Ethereum that sends payments in tokens",
        \.server.studies.chainNode),
      address(
        "study-chain-signer", "JSON-RPC of a signer such as Clef, by default the node", \.server.studies.chainSigner),
      .integer("study-chain-number", "number of the chain", \.server.studies.chainNumber, 1...1_000_000_000),
      account("study-chain-contract", "address of the token's contract (ERC-20)", \.server.studies.chainContract),
      account(
        "study-chain-payer", "address of the account that pays, and does nothing else", \.server.studies.chainPayer),
      .integer(
        "study-chain-nonce", "nonce of the account before the first payout", \.server.studies.chainNonce,
        0...1_000_000_000),
    ]
  }

  private static func address(
    _ name: String, _ help: String, _ path: WritableKeyPath<CommandSettings, OutboundAddress?>
  ) -> Entry {
    Entry(name, help, shown: { $0[keyPath: path]?.origin }) { settings, text throws(ConfigurationError) in
      do throws(OutboundAddress.Fault) {
        settings[keyPath: path] = try OutboundAddress(text)
      } catch {
        throw ConfigurationError("the address \(error.message)")
      }
    }
  }

  private static func account(
    _ name: String, _ help: String, _ path: WritableKeyPath<CommandSettings, EthereumAddress?>
  ) -> Entry {
    Entry(name, help, shown: { $0[keyPath: path]?.description }) { settings, text throws(ConfigurationError) in
      guard let address = EthereumAddress(text) else {
        throw ConfigurationError("not an address of 40 hexadecimal digits with its checksum (ERC-55)")
      }
      settings[keyPath: path] = address
    }
  }

  /// Checks what the settings of studies say together.
  static func checkStudies(_ studies: StudySettings) throws(CommandError) {
    guard studies.chainNode != nil else { return }
    guard studies.chainContract != nil, studies.chainPayer != nil else {
      throw CommandError("study-chain-node needs study-chain-contract and study-chain-payer")
    }
    guard studies.paymentURL == nil else { throw CommandError("study-chain-node excludes study-payment-url") }
  }
}
