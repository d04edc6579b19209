#ifndef CORDON_CONSOLE_PAGES_H
#define CORDON_CONSOLE_PAGES_H

#include <stddef.h>

// The files of the operators' console. Each function returns the bytes of one file, and their number.
#define CORDON_FILE(name) const unsigned char *_Nonnull name(size_t *_Nonnull count);

CORDON_FILE(cordon_console_en_json)
CORDON_FILE(cordon_console_de_json)
CORDON_FILE(cordon_console_frame_html)
CORDON_FILE(cordon_console_console_css)
CORDON_FILE(cordon_console_strings_js)
CORDON_FILE(cordon_console_api_js)
CORDON_FILE(cordon_console_frame_js)
CORDON_FILE(cordon_console_dates_js)
CORDON_FILE(cordon_console_charts_js)
CORDON_FILE(cordon_console_overview_js)
CORDON_FILE(cordon_console_status_js)
CORDON_FILE(cordon_console_operators_js)
CORDON_FILE(cordon_console_audit_js)
CORDON_FILE(cordon_console_account_js)
CORDON_FILE(cordon_console_person_js)
CORDON_FILE(cordon_console_sign_in_js)
CORDON_FILE(cordon_console_reason_js)
CORDON_FILE(cordon_console_floor_plan_js)
CORDON_FILE(cordon_console_plan_js)
CORDON_FILE(cordon_console_span_js)
CORDON_FILE(cordon_console_grid_js)
CORDON_FILE(cordon_console_device_js)
CORDON_FILE(cordon_console_qr_js)
CORDON_FILE(cordon_console_devices_js)
CORDON_FILE(cordon_console_utilisation_js)
CORDON_FILE(cordon_console_venues_js)
CORDON_FILE(cordon_console_quality_js)
CORDON_FILE(cordon_console_cases_js)
CORDON_FILE(cordon_console_alerts_js)
CORDON_FILE(cordon_console_forms_js)
CORDON_FILE(cordon_console_designer_js)
CORDON_FILE(cordon_console_form_items_js)
CORDON_FILE(cordon_console_studies_js)
CORDON_FILE(cordon_console_study_form_js)
CORDON_FILE(cordon_console_participate_js)
CORDON_FILE(cordon_console_participant_js)

#undef CORDON_FILE

#endif
