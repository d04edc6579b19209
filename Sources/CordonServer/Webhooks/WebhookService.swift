internal import CordonConsole
internal import CordonCore
internal import CordonIngest
internal import CordonSupport
internal import Foundation
internal import Logging
internal import NIOConcurrencyHelpers
internal import ServiceLifecycle

/// Makes events of what the server reports, and sends them, while the server runs.
///
/// Servers on one database share a queue for events of venues, alerts and certificates; one of them makes the events of venues.
/// Events of a server alone are in its own file, which is there while the database is not.
struct WebhookService: Service {
  /// The queue of this server.
  let own: WebhookOutbox
  /// The queue of all servers; ``own`` for a server whose store is a file.
  let shared: WebhookOutbox
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
  /// The time between two looks at a queue in a database.
  static let sharedPause = Duration.seconds(1)
  /// The time between two searches for silent devices.
  static let silencePause = TimeSpan.hours(1)

  private var outboxes: [WebhookOutbox] { own === shared ? [own] : [own, shared] }

  func run() async throws {
    for await _ in listening.cancelOnGracefulShutdown() {}
    logger.info("webhooks", metadata: ["receivers": "\(settings.receivers.count)"])
    await clean()
    do throws(WebhookQueueFault) {
      try await own.publish([
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
        for receiver in settings.receivers {
          for outbox in outboxes {
            group.addTask { await deliver(outbox, to: receiver) }
          }
        }
        await group.waitForAll()
      }
    }
    await shared.leave()
  }

  private func report(_ fault: WebhookQueueFault) {
    logger.error("webhook queue fault", metadata: ["fault": "\(fault)"])
  }

  private func clean() async {
    for outbox in outboxes {
      do throws(WebhookQueueFault) { try await outbox.clean() } catch { report(error) }
    }
  }

  private func deliver(_ outbox: WebhookOutbox, to receiver: OutboundAddress) async {
    let pause = outbox === own ? Self.deliveryPause : Self.sharedPause
    while !Task.isCancelled {
      do throws(WebhookQueueFault) {
        while try await outbox.deliver(to: receiver), !Task.isCancelled {}
      } catch {
        report(error)
        try? await Task.sleep(for: .seconds(10))
      }
      try? await Task.sleep(for: pause)
    }
  }

  private func observe() async {
    var observer = WebhookObserver(
      settings: settings, capacities: capacities(), smallestCell: ingest.smallestCell, begin: clock(),
      metrics: writer.metrics)
    var (cleaned, certificateEnd) = (clock(), end(of: certificate))
    // Whether the observer knows the venues up to their marks.
    var isCurrent = false
    while !Task.isCancelled {
      let now = clock()
      if now - cleaned >= .hours(1) || now < cleaned {
        await clean()
        (cleaned, certificateEnd) = (now, end(of: certificate))
      }
      if !isCurrent { observer.forgetVenues() }
      isCurrent = await observe(&observer, now: now, certificateEnd: certificateEnd, isFirst: !isCurrent)
      try? await Task.sleep(for: Self.observationPause)
    }
  }

  /// The marks that an observation reads, and whether this server makes the events of venues.
  private struct Reading {
    /// The marks of the shared queue.
    var former: [String: Int64] = [:]
    /// The marks from which events are made.
    var marks: [String: Int64] = [:]
    /// Up to when silent devices were searched.
    var searched: Int64?
    /// Whether this server makes the events of venues.
    var makesEvents = false
  }

  /// Makes one observation, and queues its events with their marks.
  /// - Returns: whether this server made the events of venues, so that the next observation continues this one.
  private func observe(
    _ observer: inout WebhookObserver, now: Instant, certificateEnd: Instant?, isFirst: Bool
  ) async -> Bool {
    let metrics = writer.metrics
    var observation = WebhookObserver.Observation(time: now, metrics: metrics, certificateEnd: certificateEnd)
    var reading = Reading()
    do throws(WebhookQueueFault) {
      reading = try await read(&observation, isFirst: isFirst)
    } catch {
      report(error)
      observation = WebhookObserver.Observation(time: now, metrics: metrics)
    }
    var outcome = observer.observe(observation, marks: reading.marks)
    if let searched = reading.searched { outcome.marks[WebhookObserver.silenceMark] = searched }
    do throws(WebhookQueueFault) {
      try await own.publish(outcome.events.filter { $0.mark == nil })
    } catch {
      report(error)
    }
    do throws(WebhookQueueFault) {
      let marks = outcome.marks.sorted { $0.key < $1.key }.map {
        WebhookMark($0.key, former: reading.former[$0.key], value: $0.value)
      }
      try await shared.publish(outcome.events.filter { $0.mark != nil }, marks: marks)
      return reading.makesEvents
    } catch {
      report(error)
      return false
    }
  }

  private func read(
    _ observation: inout WebhookObserver.Observation, isFirst: Bool
  ) async throws(WebhookQueueFault) -> Reading {
    let now = observation.time
    var reading = Reading()
    func note(_ name: String) async throws(WebhookQueueFault) {
      reading.former[name] = try await shared.mark(name)
      // A server that had a file before goes on from there.
      reading.marks[name] = try await reading.former[name] == nil ? own.mark(name) : reading.former[name]
    }
    if let end = observation.certificateEnd { try await note(WebhookObserver.certificateMark(end)) }
    guard try await shared.claim(WebhookOutbox.venueTask) else { return reading }
    reading.makesEvents = true
    let venues = preprocessor.withLockedValue { $0.catalog.ids }
    var starts: [(venue: VenueID, from: Instant?)] = []
    for venue in venues {
      let name = WebhookObserver.binMark(venue)
      try await note(name)
      // After a start from the last observed bin on, which sets the state; then behind it.
      let next = isFirst ? TimeSpan.zero : ViewerBin.width
      starts.append((venue, reading.marks[name].map { Instant(milliseconds: $0) + next }))
    }
    observation.bins = await reader.bins(of: starts)
    if let silence = settings.silence {
      try await note(WebhookObserver.silenceMark)
      let mark = reading.marks[WebhookObserver.silenceMark]
      let last = mark.map { Instant(milliseconds: $0) } ?? now
      if mark == nil { reading.searched = now.milliseconds }
      if now - last >= Self.silencePause,
        let found = await reader.silentDevices(of: venues, window: (last - silence)..<(now - silence))
      {
        observation.silent = found
        reading.searched = now.milliseconds
      }
    }
    return reading
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
