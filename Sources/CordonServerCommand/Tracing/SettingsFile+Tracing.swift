import CordonCommandLine
import CordonConsole
import CordonServer

extension SettingsFile {
  /// The settings of traces.
  static var traces: [Entry] {
    [
      Entry(
        "trace-url", "receiver of OpenTelemetry traces (OTLP over HTTP); https, or http on loopback",
        shown: { $0.server.traces.receiver?.description }
      ) { settings, text throws(ConfigurationError) in
        do throws(OutboundAddress.Fault) {
          let address = try OutboundAddress(text)
          guard address.target == "/" else {
            settings.server.traces.receiver = address
            return
          }
          settings.server.traces.receiver = try OutboundAddress(text + (text.hasSuffix("/") ? "" : "/") + "v1/traces")
        } catch {
          throw ConfigurationError("the address \(error.message)")
        }
      },
      Entry(
        "trace-header", "header of requests to it, such as 'x-api-key: KEY'", isSecret: true,
        shown: { $0.server.traces.field.map { _ in "set" } }
      ) { settings, text throws(ConfigurationError) in
        guard let field = TraceSettings.Field(text) else { throw ConfigurationError("'NAME: VALUE' is required") }
        settings.server.traces.field = field
      },
      .number("trace-ratio", "share of new traces that are recorded, 0 to 1", \.server.traces.ratio, 0...1),
      Entry("trace-service", "name of the service in traces", shown: { $0.server.traces.service }) {
        settings, text throws(ConfigurationError) in
        guard (1...100).contains(text.utf8.count) else { throw ConfigurationError("1 to 100 bytes are required") }
        settings.server.traces.service = text
      },
      .flag(
        "trace-clients", "continue the traces of all clients, not only of trusted proxies",
        \.server.traces.continuesClients),
    ]
  }
}
