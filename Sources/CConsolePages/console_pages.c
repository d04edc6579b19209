#include "CConsolePages.h"
#include "../CReportPages/embedding.h"

static const unsigned char en_json[] = {
#embed "../CordonDashboard/Strings/en.json"
};
CORDON_BYTES(console, en_json)

static const unsigned char de_json[] = {
#embed "../CordonDashboard/Strings/de.json"
};
CORDON_BYTES(console, de_json)

static const unsigned char frame_html[] = {
#embed "../CordonDashboard/Assets/frame.html"
};
CORDON_BYTES(console, frame_html)

static const unsigned char console_css[] = {
#embed "../CordonDashboard/Assets/console.css"
};
CORDON_BYTES(console, console_css)

static const unsigned char strings_js[] = {
#embed "../CordonDashboard/Assets/strings.js"
};
CORDON_BYTES(console, strings_js)

static const unsigned char api_js[] = {
#embed "../CordonDashboard/Assets/api.js"
};
CORDON_BYTES(console, api_js)

static const unsigned char frame_js[] = {
#embed "../CordonDashboard/Assets/frame.js"
};
CORDON_BYTES(console, frame_js)

static const unsigned char dates_js[] = {
#embed "../CordonDashboard/Assets/dates.js"
};
CORDON_BYTES(console, dates_js)

static const unsigned char charts_js[] = {
#embed "../CordonDashboard/Assets/charts.js"
};
CORDON_BYTES(console, charts_js)

static const unsigned char overview_js[] = {
#embed "../CordonDashboard/Assets/overview.js"
};
CORDON_BYTES(console, overview_js)

static const unsigned char status_js[] = {
#embed "../CordonDashboard/Assets/status.js"
};
CORDON_BYTES(console, status_js)

static const unsigned char operators_js[] = {
#embed "../CordonDashboard/Assets/operators.js"
};
CORDON_BYTES(console, operators_js)

static const unsigned char audit_js[] = {
#embed "../CordonDashboard/Assets/audit.js"
};
CORDON_BYTES(console, audit_js)

static const unsigned char account_js[] = {
#embed "../CordonDashboard/Assets/account.js"
};
CORDON_BYTES(console, account_js)

static const unsigned char person_js[] = {
#embed "../CordonDashboard/Assets/person.js"
};
CORDON_BYTES(console, person_js)

static const unsigned char sign_in_js[] = {
#embed "../CordonDashboard/Assets/sign-in.js"
};
CORDON_BYTES(console, sign_in_js)

static const unsigned char reason_js[] = {
#embed "../CordonDashboard/Assets/reason.js"
};
CORDON_BYTES(console, reason_js)

static const unsigned char floor_plan_js[] = {
#embed "../CordonDashboard/Assets/floor-plan.js"
};
CORDON_BYTES(console, floor_plan_js)

static const unsigned char plan_js[] = {
#embed "../CordonDashboard/Assets/plan.js"
};
CORDON_BYTES(console, plan_js)

static const unsigned char span_js[] = {
#embed "../CordonDashboard/Assets/span.js"
};
CORDON_BYTES(console, span_js)

static const unsigned char grid_js[] = {
#embed "../CordonDashboard/Assets/grid.js"
};
CORDON_BYTES(console, grid_js)

static const unsigned char device_js[] = {
#embed "../CordonDashboard/Assets/device.js"
};
CORDON_BYTES(console, device_js)

static const unsigned char qr_js[] = {
#embed "../CordonDashboard/Assets/qr.js"
};
CORDON_BYTES(console, qr_js)

static const unsigned char devices_js[] = {
#embed "../CordonDashboard/Assets/devices.js"
};
CORDON_BYTES(console, devices_js)

static const unsigned char utilisation_js[] = {
#embed "../CordonDashboard/Assets/utilisation.js"
};
CORDON_BYTES(console, utilisation_js)

static const unsigned char venues_js[] = {
#embed "../CordonDashboard/Assets/venues.js"
};
CORDON_BYTES(console, venues_js)

static const unsigned char quality_js[] = {
#embed "../CordonDashboard/Assets/quality.js"
};
CORDON_BYTES(console, quality_js)

static const unsigned char cases_js[] = {
#embed "../CordonDashboard/Assets/cases.js"
};
CORDON_BYTES(console, cases_js)

static const unsigned char alerts_js[] = {
#embed "../CordonDashboard/Assets/alerts.js"
};
CORDON_BYTES(console, alerts_js)

static const unsigned char forms_js[] = {
#embed "../CordonDashboard/Assets/forms.js"
};
CORDON_BYTES(console, forms_js)

static const unsigned char designer_js[] = {
#embed "../CordonDashboard/Assets/designer.js"
};
CORDON_BYTES(console, designer_js)

static const unsigned char form_items_js[] = {
#embed "../CordonDashboard/Assets/form-items.js"
};
CORDON_BYTES(console, form_items_js)

static const unsigned char studies_js[] = {
#embed "../CordonDashboard/Assets/studies.js"
};
CORDON_BYTES(console, studies_js)

static const unsigned char study_form_js[] = {
#embed "../CordonDashboard/Assets/study-form.js"
};
CORDON_BYTES(console, study_form_js)

static const unsigned char participate_js[] = {
#embed "../CordonDashboard/Assets/participate.js"
};
CORDON_BYTES(console, participate_js)

static const unsigned char participant_js[] = {
#embed "../CordonDashboard/Assets/participant.js"
};
CORDON_BYTES(console, participant_js)
