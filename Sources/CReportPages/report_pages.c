#include "CReportPages.h"

// The Swift compiler takes 0.2 ms for each byte of an array: a minute for the pages of all modules. clang takes none.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define CORDON_BYTES(name)                                \
    const unsigned char *cordon_report_##name(size_t *count) { \
        *count = sizeof name;                             \
        return name;                                      \
    }

static const unsigned char report_css[] = {
#embed "../CordonRun/Report/Page/report.css"
};
CORDON_BYTES(report_css)

static const unsigned char study_css[] = {
#embed "../CordonRun/Report/Page/study.css"
};
CORDON_BYTES(study_css)

static const unsigned char report_js[] = {
#embed "../CordonRun/Report/Page/report.js"
};
CORDON_BYTES(report_js)

static const unsigned char report_html[] = {
#embed "../CordonRun/Report/Page/report.html"
};
CORDON_BYTES(report_html)

static const unsigned char parts_js[] = {
#embed "../CordonRun/Report/Parts/parts.js"
};
CORDON_BYTES(parts_js)

static const unsigned char tables_js[] = {
#embed "../CordonRun/Report/Parts/tables.js"
};
CORDON_BYTES(tables_js)

static const unsigned char player_css[] = {
#embed "../CordonRun/Report/Player/Page/player.css"
};
CORDON_BYTES(player_css)

static const unsigned char player_tracks_js[] = {
#embed "../CordonRun/Report/Player/Page/player-tracks.js"
};
CORDON_BYTES(player_tracks_js)

static const unsigned char player_plan_js[] = {
#embed "../CordonRun/Report/Player/Page/player-plan.js"
};
CORDON_BYTES(player_plan_js)

static const unsigned char player_field_js[] = {
#embed "../CordonRun/Report/Player/Page/player-field.js"
};
CORDON_BYTES(player_field_js)

static const unsigned char player_view_js[] = {
#embed "../CordonRun/Report/Player/Page/player-view.js"
};
CORDON_BYTES(player_view_js)

static const unsigned char player_dots_js[] = {
#embed "../CordonRun/Report/Player/Page/player-dots.js"
};
CORDON_BYTES(player_dots_js)

static const unsigned char player_paint_js[] = {
#embed "../CordonRun/Report/Player/Page/player-paint.js"
};
CORDON_BYTES(player_paint_js)

static const unsigned char player_show_js[] = {
#embed "../CordonRun/Report/Player/Page/player-show.js"
};
CORDON_BYTES(player_show_js)

static const unsigned char player_controls_js[] = {
#embed "../CordonRun/Report/Player/Page/player-controls.js"
};
CORDON_BYTES(player_controls_js)

static const unsigned char player_keys_js[] = {
#embed "../CordonRun/Report/Player/Page/player-keys.js"
};
CORDON_BYTES(player_keys_js)

static const unsigned char player_record_js[] = {
#embed "../CordonRun/Report/Player/Page/player-record.js"
};
CORDON_BYTES(player_record_js)

static const unsigned char player_js[] = {
#embed "../CordonRun/Report/Player/Page/player.js"
};
CORDON_BYTES(player_js)
