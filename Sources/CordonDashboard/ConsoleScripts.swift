/// The ES modules of the console, by the names that they import each other by.
enum ConsoleScripts {
  static let all: [(name: String, bytes: [UInt8])] = shared + pages

  private static let shared: [(String, [UInt8])] = [
    ("strings.js", PackageResources.strings_js), ("api.js", PackageResources.api_js),
    ("frame.js", PackageResources.frame_js), ("dates.js", PackageResources.dates_js),
    ("charts.js", PackageResources.charts_js), ("reason.js", PackageResources.reason_js),
    ("floor-plan.js", PackageResources.floor_plan_js), ("span.js", PackageResources.span_js),
    ("grid.js", PackageResources.grid_js), ("qr.js", PackageResources.qr_js),
  ]

  private static let pages: [(String, [UInt8])] = [
    ("overview.js", PackageResources.overview_js), ("status.js", PackageResources.status_js),
    ("sign-in.js", PackageResources.sign_in_js), ("plan.js", PackageResources.plan_js),
    ("device.js", PackageResources.device_js), ("devices.js", PackageResources.devices_js),
    ("utilisation.js", PackageResources.utilisation_js), ("venues.js", PackageResources.venues_js),
    ("quality.js", PackageResources.quality_js), ("cases.js", PackageResources.cases_js),
    ("alerts.js", PackageResources.alerts_js),
    ("operators.js", PackageResources.operators_js), ("audit.js", PackageResources.audit_js),
    ("account.js", PackageResources.account_js), ("person.js", PackageResources.person_js),
    ("forms.js", PackageResources.forms_js),
    ("designer.js", PackageResources.designer_js), ("form-items.js", PackageResources.form_items_js),
    ("studies.js", PackageResources.studies_js),
    ("study-form.js", PackageResources.study_form_js), ("participate.js", PackageResources.participate_js),
    ("participant.js", PackageResources.participant_js),
  ]
}
