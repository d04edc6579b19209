internal import CordonIngest
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import ServiceLifecycle

extension IngestServer {
  /// The services that send to other servers, as far as they are configured.
  /// - Parameter listening: ends when the server listens.
  func outboundServices(
    _ writer: GroupCommitWriter, _ reader: Reader, _ preprocessor: NIOLockedValueBox<RequestPreprocessor>,
    _ listening: AsyncStream<Void>, _ tracer: Tracer?
  ) throws -> [any Service] {
    var services: [any Service] = []
    let tls = OutboundTLS(authorities: settings.outboundAuthorities)
    let client = NIOOutboundClient(tls: tls)
    if let tracer, let receiver = settings.traces.receiver {
      services.append(
        TraceService(
          tracer: tracer, receiver: receiver, client: client,
          lastClient: NIOOutboundClient(tls: tls, limit: .seconds(2)),
          logger: logger))
    }
    let caller: any OutboundClient = tracer.map { TracedClient(client: client, tracer: $0, name: "webhook") } ?? client
    let hasReceivers = !settings.webhooks.receivers.isEmpty
    var shared: WebhookOutbox?
    if hasReceivers || settings.alerts.mailFolder != nil, let queue = try access.webhooks?() {
      shared = WebhookOutbox(queue: queue, settings: settings.webhooks, client: caller, clock: clock)
    }
    if hasReceivers {
      let own = WebhookOutbox(
        queue: try SQLiteWebhookQueue(path: folder.webhookPath), settings: settings.webhooks, client: caller,
        clock: clock)
      services.append(
        WebhookService(
          own: own, shared: shared ?? own, settings: settings.webhooks, ingest: settings.ingest,
          certificate: settings.certificate?.chain, writer: writer, reader: reader, preprocessor: preprocessor,
          listening: listening, logger: logger, clock: clock))
      shared = shared ?? own
    }
    if hasReceivers || settings.alerts.mailFolder != nil {
      services.append(
        AlertService(
          outbox: shared, settings: settings.alerts, writer: writer, preprocessor: preprocessor, logger: logger,
          clock: clock))
    }
    if let broker = settings.mqtt.broker {
      let smallest = settings.ingest.smallestSpace
      services.append(
        MQTTService(
          connection: MQTTConnection(broker: broker, tls: tls), settings: settings.mqtt, logger: logger,
          venues: {
            let catalog = preprocessor.withLockedValue { $0.catalog }
            return catalog.ids.compactMap { id in
              catalog.venues[id].map { .init(id: id, name: $0.name, spaces: $0.viewerSpaces(smallest: smallest)) }
            }
          },
          bins: { venues in await reader.bins(of: venues.map { ($0, nil) }) },
          handle: { [clock] request in
            let prepared = preprocessor.withLockedValue { $0 }.prepare(request, now: clock())
            guard case .answer(let response) = await writer.perform(prepared) else { return 503 }
            return response.status
          }))
    }
    return services
  }
}
