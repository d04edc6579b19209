#include "CInterfaceDescription.h"

// The Swift compiler takes half a minute for an array of 440 000 bytes, clang a hundredth of a second.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char description[] = {
#embed "../CordonServer/Pages/openapi.json"
};

const unsigned char *cordon_interface_description(size_t *count) {
    *count = sizeof description;
    return description;
}
