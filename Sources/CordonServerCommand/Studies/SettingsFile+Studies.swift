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
    ] + chain
  }

  /// The settings of payments in tokens.
  private static var chain: [Entry] {
    [
      address(
        "study-chain-node", "JSON-RPC of a node of Ethereum that sends payments in tokens", \.server.studies.chain.node),
      .text(
        "study-chain-key-file", "file of the private key that signs payments, mode 600", \.server.studies.chain.keyFile),
      address(
        "study-chain-signer", "JSON-RPC of a signer such as Clef, without a key file; by default the node",
        \.server.studies.chain.signer),
      .integer(
        "study-chain-number", "number of the chain", \.server.studies.chain.number, 1...9_007_199_254_740_991),
      account("study-chain-contract", "address of the token's contract (ERC-20)", \.server.studies.chain.contract),
      account(
        "study-chain-payer", "address of the account that pays, and does nothing else; by default that of the key",
        \.server.studies.chain.payer),
      .integer(
        "study-chain-nonce", "nonce of the account before the first payout", \.server.studies.chain.nonce,
        0...1_000_000_000),
      .integer(
        "study-chain-units", "units of the token for one smallest unit of a study's currency",
        \.server.studies.chain.units, 1...1_000_000_000_000_000_000),
      Entry(
        "study-chain-fees", "how gas is paid: market (base fee and tip) or legacy (one price)",
        shown: { $0.server.studies.chain.fees.rawValue }
      ) { settings, text throws(ConfigurationError) in
        guard let fees = StudyChainSettings.Fees(rawValue: text) else {
          throw ConfigurationError("'\(text)' is not market or legacy")
        }
        settings.server.studies.chain.fees = fees
      },
      .integer(
        "study-chain-fee-cap", "maximum price of a unit of gas, gwei", \.server.studies.chain.feeCap, 1...1_000_000),
      .integer("study-chain-tip", "tip for a unit of gas, gwei", \.server.studies.chain.tip, 0...1_000_000),
      .integer("study-chain-gas", "maximum gas of a transfer", \.server.studies.chain.gas, 21_000...10_000_000),
      .integer(
        "study-chain-confirmations", "blocks after which a transaction counts as paid",
        \.server.studies.chain.confirmations, 1...10_000),
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
    let chain = studies.chain
    guard chain.node != nil else {
      guard chain.keyFile == nil else { throw CommandError("study-chain-key-file needs study-chain-node") }
      return
    }
    guard chain.contract != nil else { throw CommandError("study-chain-node needs study-chain-contract") }
    guard chain.payer != nil || chain.keyFile != nil else {
      throw CommandError("study-chain-node needs study-chain-key-file, or study-chain-payer and a signer")
    }
    guard chain.keyFile == nil || chain.signer == nil else {
      throw CommandError("study-chain-key-file excludes study-chain-signer")
    }
    guard chain.fees == .legacy || chain.tip < chain.feeCap else {
      throw CommandError("study-chain-tip is at least study-chain-fee-cap, which leaves nothing for the base fee")
    }
    guard studies.paymentURL == nil else { throw CommandError("study-chain-node excludes study-payment-url") }
  }
}
