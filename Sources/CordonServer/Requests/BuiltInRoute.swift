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

  /// Whether the route belongs to pages, which the OpenAPI description omits.
  var isOfPage: Bool { [.page, .icon].contains(self) }
}
