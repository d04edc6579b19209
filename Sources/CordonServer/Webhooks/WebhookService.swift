internal import CordonConsole
internal import CordonCore
internal import CordonIngest
internal import CordonSupport
internal import Foundation
internal import Logging
internal import NIOConcurrencyHelpers
internal import ServiceLifecycle

/// Makes events of what the server reports, and sends them, while the server runs.
struct WebhookService: Service {
  let outbox: WebhookOutbox
  let settings: WebhookSettings
  let ingest: IngestSettings
  let certificate: String?
  let writer: GroupCommitWriter
  let reader: Reader
  let preprocessor: NIOLockedValueBox<RequestPreprocessor>
  /// Ends when the server listens.
  let listening: AsyncStream<Void>
  let logger: Logger
  let clock: @Sendable () -> Instant

  /// The time between two observations.
  static let observationPause = Duration.seconds(15)
  /// The time between two looks at the queue, in which a command may have made messages due.
  static let deliveryPause = Duration.milliseconds(500)
  /// The time between two searches for silent devices.
  static let silencePause = TimeSpan.hours(1)
  /// The name of the mark up to which silent devices were searched.
  static let silenceMark = "silence"

  func run() async throws {
    for await _ in listening.cancelOnGracefulShutdown() {}
    logger.info("webhooks", metadata: ["receivers": "\(settings.receivers.count)"])
    do throws(WebhookQueueFault) {
      try await outbox.clean()
      try await outbox.publish([
        WebhookEvent(
          .started, time: clock(),
          [
            .init("version", .string(CordonVersion.current)),
            .init("venues", .integer(Int64(preprocessor.withLockedValue { $0.catalog.ids.count }))),
          ])
      ])
    } catch {
      report(error)
    }
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await observe() }
        for receiver in settings.receivers { group.addTask { await deliver(to: receiver) } }
        await group.waitForAll()
      }
    }
  }

  private func report(_ fault: WebhookQueueFault) {
    logger.error("webhook queue fault", metadata: ["fault": "\(fault)"])
  }

  private func deliver(to receiver: OutboundAddress) async {
    while !Task.isCancelled {
      do throws(WebhookQueueFault) {
        while try await outbox.deliver(to: receiver), !Task.isCancelled {}
      } catch {
        report(error)
        try? await Task.sleep(for: .seconds(10))
      }
      try? await Task.sleep(for: Self.deliveryPause)
    }
  }

  private func observe() async {
    var observer = WebhookObserver(
      settings: settings, capacities: capacities(), smallestCell: ingest.smallestCell, begin: clock(),
      metrics: writer.metrics)
    var (cleaned, certificateEnd, isFirst) = (clock(), end(of: certificate), true)
    while !Task.isCancelled {
      let now = clock()
      do throws(WebhookQueueFault) {
        if now - cleaned >= .hours(1) || now < cleaned {
          try await outbox.clean()
          (cleaned, certificateEnd) = (now, end(of: certificate))
        }
        try await observe(&observer, now: now, certificateEnd: certificateEnd, isFirst: isFirst)
        isFirst = false
      } catch {
        report(error)
      }
      try? await Task.sleep(for: Self.observationPause)
    }
  }

  /// Makes one observation, and queues its events with their marks.
  private func observe(
    _ observer: inout WebhookObserver, now: Instant, certificateEnd: Instant?, isFirst: Bool
  ) async throws(WebhookQueueFault) {
    let venues = preprocessor.withLockedValue { $0.catalog.ids }
    var marks: [String: Int64] = [:]
    var starts: [(venue: VenueID, from: Instant?)] = []
    for venue in venues {
      let name = WebhookObserver.binMark(venue)
      marks[name] = try await outbox.mark(name)
      // After a start from the last observed bin on, which sets the state; then behind it.
      let next = isFirst ? TimeSpan.zero : ViewerBin.width
      starts.append((venue, marks[name].map { Instant(milliseconds: $0) + next }))
    }
    marks[WebhookObserver.certificateMark] = try await outbox.mark(WebhookObserver.certificateMark)
    var observation = WebhookObserver.Observation(time: now, metrics: writer.metrics, certificateEnd: certificateEnd)
    observation.bins = await reader.bins(of: starts)
    var searched: Int64?
    if let silence = settings.silence {
      let mark = try await outbox.mark(Self.silenceMark)
      let last = mark.map { Instant(milliseconds: $0) } ?? now
      if mark == nil { searched = now.milliseconds }
      if now - last >= Self.silencePause,
        let found = await reader.silentDevices(of: venues, window: (last - silence)..<(now - silence))
      {
        observation.silent = found
        searched = now.milliseconds
      }
    }
    var outcome = observer.observe(observation, marks: marks)
    if let searched { outcome.marks[Self.silenceMark] = searched }
    try await outbox.publish(outcome.events, marks: outcome.marks)
  }

  private func capacities() -> SpaceCapacities {
    guard let path = settings.capacities else { return SpaceCapacities() }
    do throws(SpaceCapacities.Fault) {
      return try SpaceCapacities(path: path)
    } catch {
      logger.error("capacities are not used", metadata: ["reason": "\(error)"])
      return SpaceCapacities()
    }
  }

  private func end(of certificate: String?) -> Instant? {
    certificate.flatMap { ServerCheck.certificateTimes(of: $0)?.map(\.end).min() }
  }
}
