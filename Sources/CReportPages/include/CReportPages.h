#ifndef CORDON_REPORT_PAGES_H
#define CORDON_REPORT_PAGES_H

#include <stddef.h>

// The files of the pages of reports. Each function returns the bytes of one file, and their number.
#define CORDON_FILE(name) const unsigned char *_Nonnull name(size_t *_Nonnull count);

CORDON_FILE(cordon_report_report_css)
CORDON_FILE(cordon_report_study_css)
CORDON_FILE(cordon_report_report_js)
CORDON_FILE(cordon_report_report_html)
CORDON_FILE(cordon_report_parts_js)
CORDON_FILE(cordon_report_tables_js)
CORDON_FILE(cordon_report_player_css)
CORDON_FILE(cordon_report_player_tracks_js)
CORDON_FILE(cordon_report_player_plan_js)
CORDON_FILE(cordon_report_player_field_js)
CORDON_FILE(cordon_report_player_view_js)
CORDON_FILE(cordon_report_player_dots_js)
CORDON_FILE(cordon_report_player_paint_js)
CORDON_FILE(cordon_report_player_show_js)
CORDON_FILE(cordon_report_player_controls_js)
CORDON_FILE(cordon_report_player_keys_js)
CORDON_FILE(cordon_report_player_record_js)
CORDON_FILE(cordon_report_player_js)

#undef CORDON_FILE

#endif
