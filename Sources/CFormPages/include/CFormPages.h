#ifndef CORDON_FORM_PAGES_H
#define CORDON_FORM_PAGES_H

#include <stddef.h>

// The files of the page and the app of a form. Each function returns the bytes of one file, and their number.
#define CORDON_FILE(name) const unsigned char *_Nonnull name(size_t *_Nonnull count);

CORDON_FILE(cordon_form_form_html)
CORDON_FILE(cordon_form_form_css)
CORDON_FILE(cordon_form_expressions_js)
CORDON_FILE(cordon_form_answers_js)
CORDON_FILE(cordon_form_words_js)
CORDON_FILE(cordon_form_records_js)
CORDON_FILE(cordon_form_fields_js)
CORDON_FILE(cordon_form_form_js)
CORDON_FILE(cordon_form_app_html)
CORDON_FILE(cordon_form_icon_svg)
CORDON_FILE(cordon_form_worker_js)
CORDON_FILE(cordon_form_revisions_js)
CORDON_FILE(cordon_form_exchange_js)
CORDON_FILE(cordon_form_app_js)
CORDON_FILE(cordon_form_preview_js)

#undef CORDON_FILE

#endif
