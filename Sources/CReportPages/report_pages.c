#include "CReportPages.h"
#include "embedding.h"

static const unsigned char report_css[] = {
#embed "../CordonRun/Report/Page/report.css"
};
CORDON_BYTES(report, report_css)

static const unsigned char study_css[] = {
#embed "../CordonRun/Report/Page/study.css"
};
CORDON_BYTES(report, study_css)

static const unsigned char report_js[] = {
#embed "../CordonRun/Report/Page/report.js"
};
CORDON_BYTES(report, report_js)

static const unsigned char report_html[] = {
#embed "../CordonRun/Report/Page/report.html"
};
CORDON_BYTES(report, report_html)

static const unsigned char parts_js[] = {
#embed "../CordonRun/Report/Parts/parts.js"
};
CORDON_BYTES(report, parts_js)

static const unsigned char tables_js[] = {
#embed "../CordonRun/Report/Parts/tables.js"
};
CORDON_BYTES(report, tables_js)

static const unsigned char player_css[] = {
#embed "../CordonRun/Report/Player/Page/player.css"
};
CORDON_BYTES(report, player_css)

static const unsigned char player_tracks_js[] = {
#embed "../CordonRun/Report/Player/Page/player-tracks.js"
};
CORDON_BYTES(report, player_tracks_js)

static const unsigned char player_plan_js[] = {
#embed "../CordonRun/Report/Player/Page/player-plan.js"
};
CORDON_BYTES(report, player_plan_js)

static const unsigned char player_field_js[] = {
#embed "../CordonRun/Report/Player/Page/player-field.js"
};
CORDON_BYTES(report, player_field_js)

static const unsigned char player_view_js[] = {
#embed "../CordonRun/Report/Player/Page/player-view.js"
};
CORDON_BYTES(report, player_view_js)

static const unsigned char player_dots_js[] = {
#embed "../CordonRun/Report/Player/Page/player-dots.js"
};
CORDON_BYTES(report, player_dots_js)

static const unsigned char player_paint_js[] = {
#embed "../CordonRun/Report/Player/Page/player-paint.js"
};
CORDON_BYTES(report, player_paint_js)

static const unsigned char player_show_js[] = {
#embed "../CordonRun/Report/Player/Page/player-show.js"
};
CORDON_BYTES(report, player_show_js)

static const unsigned char player_controls_js[] = {
#embed "../CordonRun/Report/Player/Page/player-controls.js"
};
CORDON_BYTES(report, player_controls_js)

static const unsigned char player_keys_js[] = {
#embed "../CordonRun/Report/Player/Page/player-keys.js"
};
CORDON_BYTES(report, player_keys_js)

static const unsigned char player_record_js[] = {
#embed "../CordonRun/Report/Player/Page/player-record.js"
};
CORDON_BYTES(report, player_record_js)

static const unsigned char player_js[] = {
#embed "../CordonRun/Report/Player/Page/player.js"
};
CORDON_BYTES(report, player_js)
