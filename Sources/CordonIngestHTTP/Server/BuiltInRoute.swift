/// What the shell answers itself, to GET and HEAD.
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

  /// Whether it is a part of the page, which is for people and no matter of the description (OpenAPI).
  var isOfPage: Bool { [.page, .icon, .style, .script].contains(self) }
}
