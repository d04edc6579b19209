/// Encrypts accounts for a store that others can read, and opens them again.
package struct AccountSeal: Sendable {
  /// Returns accounts in encrypted form.
  package var seal: @Sendable ([OperatorAccount]) throws -> [UInt8]
  /// Returns the accounts of an encrypted form. It throws when it was made under another key.
  package var open: @Sendable ([UInt8]) throws -> [OperatorAccount]

  /// Takes the functions as they are.
  package init(
    seal: @escaping @Sendable ([OperatorAccount]) throws -> [UInt8],
    open: @escaping @Sendable ([UInt8]) throws -> [OperatorAccount]
  ) {
    self.seal = seal
    self.open = open
  }
}
