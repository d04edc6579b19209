#include "CInterfaceDescription.h"
#include "../CReportPages/embedding.h"

static const unsigned char description[] = {
#embed "../CordonServer/Pages/openapi.json"
};
CORDON_BYTES(interface, description)
