/// The name of a participant, and addresses at which they are reached. It lies apart from all data of studies, under a key of its own.
package struct Identity: Hashable, Sendable {
  /// The name, if the participant gave one.
  package var name: String?
  /// The address for mail, if the participant gave one.
  package var email: String?
  /// The service of push messages: `apns`, `fcm` or `file`; `nil` for none.
  package var pushService: String?
  /// The address of the phone at that service; `nil` for none.
  package var pushToken: String?
  /// Where rewards go; `nil` for none.
  package var payment: String?

  /// Creates an identity.
  package init(
    name: String? = nil, email: String? = nil, pushService: String? = nil, pushToken: String? = nil,
    payment: String? = nil
  ) {
    self.name = name
    self.email = email
    self.pushService = pushService
    self.pushToken = pushToken
    self.payment = payment
  }
}

/// The identities of participants. Nothing in it can be joined with the data of a study without the vault's key.
package protocol IdentityVault: AnyObject {
  /// Writes the identity of a participant; the one before is replaced.
  func save(_ identity: Identity, of participant: ParticipantID) throws(StudyError)
  /// Returns the identity of a participant; `nil` without one.
  func identity(of participant: ParticipantID) throws(StudyError) -> Identity?
  /// Deletes the identity of a participant.
  func erase(_ participant: ParticipantID) throws(StudyError)
  /// Removes what erased identities left in files, where an erasure was interrupted.
  func finishErasure() throws(StudyError)

  /// Writes the signed transaction of an order, which holds the receiver's address; the one before is replaced.
  func save(transaction: [UInt8], of order: String) throws(StudyError)
  /// Returns the signed transaction of an order's key; `nil` without one.
  func transaction(of order: String) throws(StudyError) -> [UInt8]?
  /// Deletes the signed transaction of an order that ended.
  func forgetTransaction(of order: String) throws(StudyError)
}

/// A vault in memory, for tests.
package final class MemoryIdentityVault: IdentityVault {
  private var identities: [ParticipantID: Identity] = [:]
  private var transactions: [String: [UInt8]] = [:]

  /// Creates an empty vault.
  package init() {}

  package func save(_ identity: Identity, of participant: ParticipantID) throws(StudyError) {
    identities[participant] = identity
  }

  package func identity(of participant: ParticipantID) throws(StudyError) -> Identity? { identities[participant] }

  package func erase(_ participant: ParticipantID) throws(StudyError) { identities[participant] = nil }

  package func finishErasure() throws(StudyError) {}

  package func save(transaction: [UInt8], of order: String) throws(StudyError) { transactions[order] = transaction }

  package func transaction(of order: String) throws(StudyError) -> [UInt8]? { transactions[order] }

  package func forgetTransaction(of order: String) throws(StudyError) { transactions[order] = nil }
}
