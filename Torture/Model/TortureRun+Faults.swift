import CordonCore
import CordonIngest
import CordonMonitoring

/// The faults that affect no message, and the recovery without faults.
extension TortureRun {
  /// Performs a fault; returns whether it had an effect. A fault of a message waits for the next message.
  func strike(_ planned: PlannedFault) -> Bool {
    let phone = phones[min(planned.phone, phones.count - 1)]
    if planned.fault.isOfNetwork { return true }
    if awaitsStay(planned, phone) { return false }
    switch planned.fault {
    case .killPhone, .powerLossPhone:
      guard phone.isUp, phone.awaitedDeath == nil else { return false }
      phone.awaitedDeath = planned.fault
      phone.losesPower = planned.fault == .powerLossPhone && plan.storage == .sqlite
      phone.powerSeed = planned.amount % 3 == 0 ? 0 : UInt64(planned.at)
      // Counted when the process dies of it.
      if planned.amount == 0 {
        phone.kill(now, until: now + 10_000)
      } else if planned.amount % 5 == 0 {
        phone.diesBeforeSending = true
      } else if plan.storage == .sqlite {
        phone.disk.kill(after: planned.amount)
      } else {
        phone.store?.kill(after: planned.amount)
      }
      return true
    case .killServer, .powerLossServer:
      guard server.isUp, awaitedServerDeath == nil else { return false }
      serverPower = (planned.fault == .powerLossServer, planned.amount % 3 == 0 ? 0 : UInt64(planned.at))
      if planned.amount == 0 {
        server.die(until: now + 15_000)
      } else {
        awaitedServerDeath = planned.fault
        server.kill(after: planned.amount)
        return true
      }
    case .fullDiskPhone: phone.setFull(until: now + planned.amount)
    case .fullDiskServer:
      server.setFull(true)
      serverFullUntil = now + planned.amount
    case .suspend: phone.suspendedUntil = max(phone.suspendedUntil, now + planned.amount)
    case .relaunch:
      guard phone.isUp, phone.awaitedDeath == nil else { return false }
      phone.kill(now, until: now + 1_000)
    case .secondProcess:
      guard phone.openTwice(now) else { return false }
    case .clockForward: phone.wallOffset += planned.amount
    case .clockBack: phone.wallOffset -= planned.amount
    case .offline:
      phone.offlineUntil = now + planned.amount
      phone.send(now, .network(.none))
      finish(phone)
    case .withdraw:
      guard phone.isUp, phone.hasConsent else { return false }
      phone.withdraw(now, until: now + planned.amount)
      finish(phone)
    case .pause:
      guard phone.isUp, phone.hasConsent else { return false }
      phone.pause(now, for: planned.amount)
      finish(phone)
    case .rotateTokens: server.rotateTokens(planned.at)
    case .restore:
      // An administrator restores only when nothing else is wrong with the machine. A server in memory has no files.
      guard plan.storage == .sqlite, server.isUp, awaitedServerDeath == nil, serverFullUntil == nil else {
        return false
      }
      do {
        guard let lost = try server.restore(age: Int(planned.amount / 60_000) % 3) else { return false }
        lostByRestore.formUnion(lost)
        // Devices activated after the backup are lost: the restored server no longer knows their proofs.
        for phone in phones { phone.proved = try phone.proved.filter { try server.knows($0) } }
        // The cases of a backup have no notices to devices that came after it.
        for phone in phones {
          for device in phone.names.sorted() where try !server.knows(device) { try server.cases.forget(device) }
        }
        hasRestored = true
      } catch {
        fail("the server cannot be restored: \(error)")
        server.die(until: now + 20_000)
      }
    case .clockBehind:
      // By some minutes to an hour and a half, for some minutes.
      serverLag = planned.amount * 9
      serverLagsUntil = now + planned.amount
    case .changeVenue:
      phone.changeVenue(now)
      finish(phone)
    case .retractEverywhere:
      guard phone.isUp, phone.hasEverywhere else { return false }
      phone.retractEverywhere(now, until: now + planned.amount)
      finish(phone)
    case .trip:
      guard phone.isUp, phone.hasConsent, phone.toggleTrip(now) else { return false }
      finish(phone)
    case .systemPause:
      guard phone.isUp else { return false }
      phone.pausePositioning(now)
      finish(phone)
    case .leaveFence:
      guard phone.isUp else { return false }
      phone.send(now, .leftExitFence)
      finish(phone)
    case .visit:
      guard phone.isUp else { return false }
      phone.inventVisit(now, amount: planned.amount)
      finish(phone)
    case .endToken: phone.platform?.endToken()
    case .eraseByServer:
      guard let device = phone.seen?.device, server.isUp else { return false }
      let isErased = server.erase(device, serverTime)
      // A server that died during it may have written it all the same.
      if !isErased, server.isDead { perhapsErased.insert(device) }
      guard isErased else { return false }
      erasedByServer.insert(device)
    default: break
    }
    note(planned.fault)
    return true
  }

  /// Whether a fault is for a phone whose person stays somewhere outside, and has to wait for that: half of those that end what
  /// is known about the stay. They wait for half an hour.
  private func awaitsStay(_ planned: PlannedFault, _ phone: TorturePhone) -> Bool {
    guard let system = phone.system, planned.fault.endsEvidence, planned.at % 2 == 0, now - planned.at < 1_800_000
    else { return false }
    return !system.seesStay
  }

  /// Ends all faults; the system must now recover by itself.
  func calm() {
    isCalm = true
    network.calm()
    server.disarm()
    awaitedServerDeath = nil
    server.setFull(false)
    serverFullUntil = nil
    serverLag = 0
    serverLagsUntil = nil
    for phone in phones {
      if let store = phone.store, phone.suspendedUntil <= now, phone.isFullUntil == nil { phone.checkAges(now, store) }
      phone.disk.disarm()
      phone.store?.disarm()
      phone.awaitedDeath = nil
      phone.setFull(until: nil)
      phone.suspendedUntil = 0
      phone.diesBeforeSending = false
      // The person corrects the clock.
      phone.wallOffset = 0
      phone.isCalm = true
      if phone.offlineUntil != nil {
        phone.offlineUntil = nil
        phone.send(now, .network(.unmetered))
        finish(phone)
      }
      if phone.isUp {
        phone.pausedUntil = nil
        phone.send(now, .resume)
        finish(phone)
        phone.trips?.hurry()
      }
    }
  }

  var isAtRest: Bool {
    guard network.going.isEmpty, network.coming.isEmpty, server.isUp, !server.isDead else { return false }
    return phones.allSatisfy { phone in
      guard let seen = phone.seen, phone.hasConsent, phone.consentsAgainAt == nil, phone.everywhereAgainAt == nil else {
        return false
      }
      let a = seen.accounting
      return a.onPhone == 0 && a.held == 0 && !seen.hasErasures && !seen.hasUnfinishedWrites
        && missingNotices(of: phone).isEmpty && seen.phase != .needsActivation
        && !(phone.process?.runtime.hasLeftovers ?? false) && !(phone.trips?.isBusy ?? false)
    }
  }

  /// The reasons why the system is not idle.
  var unrest: String {
    var reasons = server.isUp && !server.isDead ? [] : ["the server is down"]
    if !network.going.isEmpty || !network.coming.isEmpty { reasons.append("messages are on their way") }
    for phone in phones {
      guard let seen = phone.seen, let runtime = phone.process?.runtime else {
        reasons.append("phone \(phone.number) is down")
        continue
      }
      reasons.append(
        "phone \(phone.number) in phase \(seen.phase), timers \(phone.hasTimers), consent \(phone.hasConsent), \(seen.accounting.onPhone) rows, held \(seen.accounting.held), erasures \(seen.hasErasures), unfinished \(seen.hasUnfinishedWrites), leftovers \(runtime.hasLeftovers)"
          + ", notices \(missingNotices(of: phone)), trips \(phone.trips?.isBusy ?? false)"
      )
    }
    return reasons.joined(separator: "; ")
  }
}
