package import CordonForms
internal import CordonSupport

/// One sharing of records between two devices, as one of them sees it: a pure state machine. It reads the bytes that came over
/// TLS and returns those to send; it opens no connection and asks nobody.
///
/// 1. Receiver to sharer: `hello` with a commitment to a nonce; back: `offer` with a nonce; `reveal` with the committed nonce.
/// 2. Each device shows its code (``SharePairing``). Each person types the code of the other device: ``enter(_:)``, `confirmed`.
/// 3. After both, the sharer sends signed bundles. The receiver checks each, stores all together, and answers with `receipt`.
///
/// An error ends it: send ``refusal`` and close. Nothing received is handed out before the last bundle was checked.
package struct ShareSession: Sendable {
  /// The part that a device has.
  package enum Role: Hashable, Sendable {
    case sharer
    case receiver
  }

  /// An effect for the connection or the person.
  package enum Output: Hashable, Sendable {
    /// Send bytes.
    case send([UInt8])
    /// Show the code of this device, and ask for that of the other one; then call ``enter(_:)``.
    case show(ShareCode)
    /// Store these records whole, then call ``acknowledge(_:)``. Only the receiver has it.
    case received(FormRecords)
    /// The sharing is complete.
    case finished(ShareResult.Counts)
  }

  private enum Phase: Hashable {
    case waitingForHello, waitingForOffer, waitingForReveal(commitment: [UInt8])
    case comparing, receiving, storing, waitingForReceipt, done
  }

  private let role: Role
  private let identity: ShareIdentity
  private let peer: [UInt8]
  private let nonce: [UInt8]
  private let form: Form
  /// The records to share, or those received so far.
  private var records: FormRecords
  private var phase: Phase
  private var frames = ShareFrames()
  private var pairing: SharePairing?
  private var (isConfirmed, isPeerConfirmed) = (false, false)
  private var bundleCount = 0
  private var entryCount = 0

  /// The message that ends a sharing after an error.
  package static var refusal: [UInt8] { ShareMessage.refused.frame }

  /// A device that shares its records.
  /// - Parameters:
  ///   - records: the records of the form.
  ///   - identity: the key whose certificate the connection used.
  ///   - peer: the public key of the other device's certificate, which TLS has proved.
  ///   - nonce: 32 random bytes that were never used.
  package init(sharing records: FormRecords, of form: Form, identity: ShareIdentity, peer: [UInt8], nonce: [UInt8]) {
    self.init(.sharer, records, form, identity, peer, nonce, .waitingForHello)
  }

  /// A device that receives records; see ``init(sharing:of:identity:peer:nonce:)``.
  package init(receiving form: Form, identity: ShareIdentity, peer: [UInt8], nonce: [UInt8]) {
    self.init(.receiver, FormRecords(), form, identity, peer, nonce, .waitingForOffer)
  }

  private init(
    _ role: Role, _ records: FormRecords, _ form: Form, _ identity: ShareIdentity, _ peer: [UInt8], _ nonce: [UInt8],
    _ phase: Phase
  ) {
    (self.role, self.records, self.form, self.identity) = (role, records, form, identity)
    (self.peer, self.nonce, self.phase) = (peer, nonce, phase)
  }

  private var sharerKey: [UInt8] { role == .sharer ? identity.publicKey : peer }
  private var receiverKey: [UInt8] { role == .sharer ? peer : identity.publicKey }

  // MARK: Events

  /// Returns what a device sends first.
  package func start() -> [Output] {
    guard role == .receiver else { return [] }
    let commitment = SharePairing.commitment(to: nonce, sharer: sharerKey, receiver: receiverKey)
    return [.send(ShareMessage.hello(commitment: commitment).frame)]
  }

  /// Handles bytes as they came.
  /// - Throws: ``ShareError``; the sharing is over then.
  package mutating func receive(_ bytes: [UInt8]) throws(ShareError) -> [Output] {
    frames.append(bytes)
    var outputs: [Output] = []
    while let frame = try frames.next(
      limit: phase == .receiving ? ShareMessage.maximumBundle : ShareMessage.maximumBefore)
    {
      outputs += try handle(try ShareMessage(frame.bytes, place: frame.place), place: frame.place)
    }
    return outputs
  }

  /// Handles the code that the person typed.
  /// - Throws: ``ShareError`` for a code that is not that of the other device.
  package mutating func enter(_ text: String) throws(ShareError) -> [Output] {
    guard phase == .comparing, !isConfirmed, let pairing else {
      throw ShareError(.order, "a code was typed at the wrong time")
    }
    guard let typed = ShareCode(typed: text) else { throw ShareError(.wrongCode, "a code has six digits") }
    guard typed == (role == .sharer ? pairing.receiverCode : pairing.sharerCode) else {
      throw ShareError(
        .wrongCode, "that is not the code of the other device: it was mistyped, or another device is in between")
    }
    isConfirmed = true
    return [Output.send(ShareMessage.confirmed.frame)] + (try continueAfterCodes())
  }

  /// Handles the end of the connection.
  /// - Throws: ``ShareError`` unless the sharing was complete.
  package func end() throws(ShareError) {
    guard phase == .done, !frames.isInMessage else {
      throw ShareError(
        .truncated, "after message \(frames.count)", "the connection ended early; nothing of it was stored")
    }
  }

  /// Reports that the received records are stored.
  package mutating func acknowledge(_ counts: ShareResult.Counts) throws(ShareError) -> [Output] {
    guard phase == .storing else { throw ShareError(.order, "there is nothing to acknowledge") }
    phase = .done
    return [.send(ShareMessage.receipt(counts).frame), .finished(counts)]
  }

  // MARK: Messages

  private mutating func handle(_ message: ShareMessage, place: String) throws(ShareError) -> [Output] {
    switch (message, phase) {
    case (.refused, _):
      throw ShareError(.refused, place, "the other device ended the sharing; nothing was stored")
    case (.hello(let commitment), .waitingForHello):
      phase = .waitingForReveal(commitment: commitment)
      return [.send(ShareMessage.offer(nonce: nonce).frame)]
    case (.offer(let other), .waitingForOffer):
      return [Output.send(ShareMessage.reveal(nonce: nonce).frame)] + compare((sharer: other, receiver: nonce))
    case (.reveal(let other), .waitingForReveal(let commitment)):
      guard SharePairing.commitment(to: other, sharer: sharerKey, receiver: receiverKey) == commitment else {
        throw ShareError(
          .commitment, place, "is not what the other device had committed to; another device may be in between")
      }
      return compare((sharer: nonce, receiver: other))
    case (.confirmed, .comparing) where !isPeerConfirmed:
      isPeerConfirmed = true
      return try continueAfterCodes()
    case (.bundle(let json, let signature), .receiving): return try take(json, signature)
    case (.receipt(let counts), .waitingForReceipt):
      phase = .done
      return [.finished(counts)]
    default: throw ShareError(.order, place, "came at the wrong time")
    }
  }

  private mutating func compare(_ nonces: (sharer: [UInt8], receiver: [UInt8])) -> [Output] {
    let made = SharePairing(sharer: sharerKey, receiver: receiverKey, nonces: nonces)
    pairing = made
    phase = .comparing
    return [.show(role == .sharer ? made.sharerCode : made.receiverCode)]
  }

  /// Nothing personal is sent before both persons have typed the codes.
  private mutating func continueAfterCodes() throws(ShareError) -> [Output] {
    guard isConfirmed, isPeerConfirmed, let pairing else { return [] }
    guard role == .sharer else {
      phase = .receiving
      return []
    }
    phase = .waitingForReceipt
    var outputs: [Output] = []
    for bundle in ShareBundle.bundles(of: records) {
      outputs.append(.send(try bundle.message(form: form, pairing: pairing.id, identity: identity).frame))
    }
    return outputs
  }

  private mutating func take(_ json: JSONValue, _ signature: [UInt8]) throws(ShareError) -> [Output] {
    let bundle = try ShareBundle(
      json, signature: signature, sharer: peer, pairing: pairing?.id ?? "", index: bundleCount, form: form)
    bundleCount += 1
    entryCount += bundle.count
    guard entryCount <= FormRecords.maximumEntries else {
      throw ShareError(
        .oversize, "bundle \(bundleCount)",
        "more than \(FormRecords.maximumEntries) revisions and erased records are not accepted")
    }
    // A bundle that is not the last one has entries, so that the number of bundles is limited too.
    guard bundle.isLast || bundle.count > 0 else { throw ShareError(.malformed, "bundle \(bundleCount)", "is empty") }
    for record in bundle.erased { records.erase(record) }
    for (number, revision) in bundle.revisions.enumerated() where records.add(revision) == .otherForm {
      throw ShareError(.invalid, "bundle \(bundleCount).revisions[\(number)].form", "is another one for the record")
    }
    guard bundle.isLast else { return [] }
    phase = .storing
    return [.received(records)]
  }
}
