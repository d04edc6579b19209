#include "CFormPages.h"
#include "../CReportPages/embedding.h"

static const unsigned char form_html[] = {
#embed "../CordonForms/Page/form.html"
};
CORDON_BYTES(form, form_html)

static const unsigned char form_css[] = {
#embed "../CordonForms/Page/form.css"
};
CORDON_BYTES(form, form_css)

static const unsigned char expressions_js[] = {
#embed "../CordonForms/Page/expressions.js"
};
CORDON_BYTES(form, expressions_js)

static const unsigned char answers_js[] = {
#embed "../CordonForms/Page/answers.js"
};
CORDON_BYTES(form, answers_js)

static const unsigned char words_js[] = {
#embed "../CordonForms/Page/words.js"
};
CORDON_BYTES(form, words_js)

static const unsigned char records_js[] = {
#embed "../CordonForms/Page/records.js"
};
CORDON_BYTES(form, records_js)

static const unsigned char fields_js[] = {
#embed "../CordonForms/Page/fields.js"
};
CORDON_BYTES(form, fields_js)

static const unsigned char form_js[] = {
#embed "../CordonForms/Page/form.js"
};
CORDON_BYTES(form, form_js)

static const unsigned char app_html[] = {
#embed "../CordonForms/Page/App/app.html"
};
CORDON_BYTES(form, app_html)

static const unsigned char icon_svg[] = {
#embed "../CordonForms/Page/App/icon.svg"
};
CORDON_BYTES(form, icon_svg)

static const unsigned char worker_js[] = {
#embed "../CordonForms/Page/App/worker.js"
};
CORDON_BYTES(form, worker_js)

static const unsigned char revisions_js[] = {
#embed "../CordonForms/Page/App/revisions.js"
};
CORDON_BYTES(form, revisions_js)

static const unsigned char exchange_js[] = {
#embed "../CordonForms/Page/App/exchange.js"
};
CORDON_BYTES(form, exchange_js)

static const unsigned char app_js[] = {
#embed "../CordonForms/Page/App/app.js"
};
CORDON_BYTES(form, app_js)

static const unsigned char preview_js[] = {
#embed "../CordonForms/Page/App/preview.js"
};
CORDON_BYTES(form, preview_js)
