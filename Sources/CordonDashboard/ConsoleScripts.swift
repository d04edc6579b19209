import CConsolePages
import CordonSupport

/// The ES modules of the console, by the names that they import each other by.
enum ConsoleScripts {
  static let all: [(name: String, bytes: [UInt8])] = shared + pages

  private static let shared: [(String, [UInt8])] = [
    ("strings.js", embeddedFile(cordon_console_strings_js)), ("api.js", embeddedFile(cordon_console_api_js)),
    ("frame.js", embeddedFile(cordon_console_frame_js)), ("dates.js", embeddedFile(cordon_console_dates_js)),
    ("charts.js", embeddedFile(cordon_console_charts_js)), ("reason.js", embeddedFile(cordon_console_reason_js)),
    ("floor-plan.js", embeddedFile(cordon_console_floor_plan_js)), ("span.js", embeddedFile(cordon_console_span_js)),
    ("grid.js", embeddedFile(cordon_console_grid_js)), ("qr.js", embeddedFile(cordon_console_qr_js)),
  ]

  private static let pages: [(String, [UInt8])] = [
    ("overview.js", embeddedFile(cordon_console_overview_js)), ("status.js", embeddedFile(cordon_console_status_js)),
    ("sign-in.js", embeddedFile(cordon_console_sign_in_js)), ("plan.js", embeddedFile(cordon_console_plan_js)),
    ("device.js", embeddedFile(cordon_console_device_js)), ("devices.js", embeddedFile(cordon_console_devices_js)),
    ("utilisation.js", embeddedFile(cordon_console_utilisation_js)),
    ("venues.js", embeddedFile(cordon_console_venues_js)),
    ("quality.js", embeddedFile(cordon_console_quality_js)), ("cases.js", embeddedFile(cordon_console_cases_js)),
    ("alerts.js", embeddedFile(cordon_console_alerts_js)),
    ("operators.js", embeddedFile(cordon_console_operators_js)), ("audit.js", embeddedFile(cordon_console_audit_js)),
    ("account.js", embeddedFile(cordon_console_account_js)), ("person.js", embeddedFile(cordon_console_person_js)),
    ("forms.js", embeddedFile(cordon_console_forms_js)),
    ("designer.js", embeddedFile(cordon_console_designer_js)),
    ("form-items.js", embeddedFile(cordon_console_form_items_js)),
    ("studies.js", embeddedFile(cordon_console_studies_js)),
    ("study-form.js", embeddedFile(cordon_console_study_form_js)),
    ("participate.js", embeddedFile(cordon_console_participate_js)),
    ("participant.js", embeddedFile(cordon_console_participant_js)),
  ]
}
