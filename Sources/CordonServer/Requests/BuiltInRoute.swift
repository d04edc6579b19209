/// The routes that the HTTP shell handles itself, for GET and HEAD.
enum BuiltInRoute: String, CaseIterable {
  case health = "/health"
  case alive = "/livez"
  case ready = "/readyz"
  case metrics = "/metrics"
  case events = "/v1/operator/events"
  case description = "/openapi.json"
  case page = "/"
  case icon = "/favicon.ico"
  case style = "/dashboard.css"
  case script = "/dashboard.js"

  /// Whether the route belongs to the dashboard page, which the OpenAPI description omits.
  var isOfPage: Bool { [.page, .icon, .style, .script].contains(self) }
}
