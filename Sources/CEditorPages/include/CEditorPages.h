#ifndef CORDON_EDITOR_PAGES_H
#define CORDON_EDITOR_PAGES_H

#include <stddef.h>

// The files of the page of `cordon venue edit`. Each function returns the bytes of one file, and their number.
#define CORDON_FILE(name) const unsigned char *_Nonnull name(size_t *_Nonnull count);

CORDON_FILE(cordon_editor_edit_html)
CORDON_FILE(cordon_editor_edit_css)
CORDON_FILE(cordon_editor_elements_js)
CORDON_FILE(cordon_editor_geometry_js)
CORDON_FILE(cordon_editor_venue_js)
CORDON_FILE(cordon_editor_changes_js)
CORDON_FILE(cordon_editor_overlay_text_js)
CORDON_FILE(cordon_editor_reachability_js)
CORDON_FILE(cordon_editor_plan_drawing_js)
CORDON_FILE(cordon_editor_plan_view_js)
CORDON_FILE(cordon_editor_tools_js)
CORDON_FILE(cordon_editor_keys_js)
CORDON_FILE(cordon_editor_inspector_js)
CORDON_FILE(cordon_editor_lists_js)
CORDON_FILE(cordon_editor_print_js)
CORDON_FILE(cordon_editor_start_js)

#undef CORDON_FILE

#endif
