import Cordon

func personAgreed(monitor: ContactMonitor) async throws {
  // Both purposes, to the same text.
  try await monitor.consent(to: Consent(version: "2026-01", time: monitor.now.wall))
}

func personAgreedToRecordingOnly(monitor: ContactMonitor) async throws {
  try await monitor.consent(to: Consent(version: "2026-01", purposes: .record, time: monitor.now.wall))
}

func personStopsSharing(monitor: ContactMonitor) async {
  await monitor.retract(.share)
}

func personWithdraws(monitor: ContactMonitor) async {
  await monitor.withdraw()
}

func show(monitor: ContactMonitor) async {
  let status = await monitor.status
  print(status.sentence)
  for issue in status.issues { print(issue.code, issue.sentence, issue.remedy) }
}

func follow(monitor: ContactMonitor) async {
  for await notice in monitor.notices { print(notice) }
}
