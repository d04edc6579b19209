#include "CEditorPages.h"

// The Swift compiler takes 0.2 ms for each byte of an array: a minute for the pages of all modules. clang takes none.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define CORDON_BYTES(name)                                \
    const unsigned char *cordon_editor_##name(size_t *count) { \
        *count = sizeof name;                             \
        return name;                                      \
    }

static const unsigned char edit_html[] = {
#embed "../CordonCommand/Venue/Editing/Page/edit.html"
};
CORDON_BYTES(edit_html)

static const unsigned char edit_css[] = {
#embed "../CordonCommand/Venue/Editing/Page/edit.css"
};
CORDON_BYTES(edit_css)

static const unsigned char elements_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/elements.js"
};
CORDON_BYTES(elements_js)

static const unsigned char geometry_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/geometry.js"
};
CORDON_BYTES(geometry_js)

static const unsigned char venue_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/venue.js"
};
CORDON_BYTES(venue_js)

static const unsigned char changes_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/changes.js"
};
CORDON_BYTES(changes_js)

static const unsigned char overlay_text_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/overlay-text.js"
};
CORDON_BYTES(overlay_text_js)

static const unsigned char reachability_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/reachability.js"
};
CORDON_BYTES(reachability_js)

static const unsigned char plan_drawing_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/plan-drawing.js"
};
CORDON_BYTES(plan_drawing_js)

static const unsigned char plan_view_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/plan-view.js"
};
CORDON_BYTES(plan_view_js)

static const unsigned char tools_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/tools.js"
};
CORDON_BYTES(tools_js)

static const unsigned char keys_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/keys.js"
};
CORDON_BYTES(keys_js)

static const unsigned char inspector_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/inspector.js"
};
CORDON_BYTES(inspector_js)

static const unsigned char lists_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/lists.js"
};
CORDON_BYTES(lists_js)

static const unsigned char print_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/print.js"
};
CORDON_BYTES(print_js)

static const unsigned char start_js[] = {
#embed "../CordonCommand/Venue/Editing/Page/start.js"
};
CORDON_BYTES(start_js)
