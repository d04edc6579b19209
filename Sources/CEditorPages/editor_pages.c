#include "CEditorPages.h"
#include "../CReportPages/embedding.h"

static const unsigned char edit_html[] = {
#embed "../CordonCommand/Venue/Editing/Page/edit.html"
};
CORDON_BYTES(editor, edit_html)

static const unsigned char edit_css[] = {
#embed "../CordonCommand/Venue/Editing/Page/edit.css"
};
CORDON_BYTES(editor, edit_css)

static const unsigned char elements_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/elements.js"
};
CORDON_BYTES(editor, elements_js)

static const unsigned char geometry_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/geometry.js"
};
CORDON_BYTES(editor, geometry_js)

static const unsigned char venue_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/venue.js"
};
CORDON_BYTES(editor, venue_js)

static const unsigned char changes_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/changes.js"
};
CORDON_BYTES(editor, changes_js)

static const unsigned char overlay_text_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/overlay-text.js"
};
CORDON_BYTES(editor, overlay_text_js)

static const unsigned char reachability_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/reachability.js"
};
CORDON_BYTES(editor, reachability_js)

static const unsigned char plan_drawing_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/plan-drawing.js"
};
CORDON_BYTES(editor, plan_drawing_js)

static const unsigned char plan_view_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/plan-view.js"
};
CORDON_BYTES(editor, plan_view_js)

static const unsigned char tools_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/tools.js"
};
CORDON_BYTES(editor, tools_js)

static const unsigned char keys_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/keys.js"
};
CORDON_BYTES(editor, keys_js)

static const unsigned char inspector_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/inspector.js"
};
CORDON_BYTES(editor, inspector_js)

static const unsigned char lists_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/lists.js"
};
CORDON_BYTES(editor, lists_js)

static const unsigned char print_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/print.js"
};
CORDON_BYTES(editor, print_js)

static const unsigned char start_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/start.js"
};
CORDON_BYTES(editor, start_js)
