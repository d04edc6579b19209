#include "CSecp256k1.h"

#include <dlfcn.h>
#include <string.h>

/* Flags of secp256k1.h: a context for signing and verifying, which versions before 0.2 distinguish; an uncompressed point. */
#define CONTEXT 0x301u
#define UNCOMPRESSED 2u

/* secp256k1_pubkey has 64 bytes, secp256k1_ecdsa_recoverable_signature 65. */
typedef struct Point {
  unsigned char bytes[64];
} Point;
typedef struct Signature {
  unsigned char bytes[65];
} Signature;

static bool find(void *handle, const char *name, void *function) {
  void *found = dlsym(handle, name);
  /* A pointer of an object becomes one of a function, as POSIX has it. */
  memcpy(function, &found, sizeof found);
  return found != NULL;
}

bool cordon_secp256k1_open(const char *name, cordon_secp256k1 *library) {
  memset(library, 0, sizeof *library);
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  bool is_whole = find(handle, "secp256k1_context_create", &library->context_create) &&
                  find(handle, "secp256k1_context_destroy", &library->context_destroy) &&
                  find(handle, "secp256k1_context_randomize", &library->context_randomize) &&
                  find(handle, "secp256k1_ec_pubkey_create", &library->public_create) &&
                  find(handle, "secp256k1_ec_pubkey_serialize", &library->public_serialize) &&
                  find(handle, "secp256k1_ecdsa_sign_recoverable", &library->sign) &&
                  find(handle, "secp256k1_ecdsa_recoverable_signature_serialize_compact", &library->serialize) &&
                  find(handle, "secp256k1_ecdsa_recoverable_signature_parse_compact", &library->parse) &&
                  find(handle, "secp256k1_ecdsa_recover", &library->recover);
  if (!is_whole) {
    dlclose(handle);
    memset(library, 0, sizeof *library);
    return false;
  }
  library->handle = handle;
  return true;
}

static void *context(const cordon_secp256k1 *library, const uint8_t *seed) {
  void *made = library->context_create(CONTEXT);
  if (made && seed && !library->context_randomize(made, seed)) {
    library->context_destroy(made);
    return NULL;
  }
  return made;
}

static bool text(const cordon_secp256k1 *library, const void *made, const Point *point, uint8_t *output) {
  size_t size = 65;
  return library->public_serialize(made, output, &size, point, UNCOMPRESSED) && size == 65;
}

bool cordon_secp256k1_public_key(
    const cordon_secp256k1 *library, const uint8_t *key, const uint8_t *seed, uint8_t *output) {
  void *made = context(library, seed);
  if (!made) return false;
  Point point;
  bool is_done = library->public_create(made, &point, key) && text(library, made, &point, output);
  library->context_destroy(made);
  return is_done;
}

bool cordon_secp256k1_sign(
    const cordon_secp256k1 *library, const uint8_t *key, const uint8_t *seed, const uint8_t *digest, uint8_t *output,
    int *recovery) {
  void *made = context(library, seed);
  if (!made) return false;
  Signature signature;
  /* Without a nonce function the library takes that of RFC 6979. */
  bool is_done = library->sign(made, &signature, digest, key, NULL, NULL) &&
                 library->serialize(made, output, recovery, &signature);
  library->context_destroy(made);
  return is_done;
}

bool cordon_secp256k1_recover(
    const cordon_secp256k1 *library, const uint8_t *digest, const uint8_t *input, int recovery, uint8_t *output) {
  if (recovery < 0 || recovery > 3) return false;
  void *made = context(library, NULL);
  if (!made) return false;
  Signature signature;
  Point point;
  bool is_done = library->parse(made, &signature, input, recovery) &&
                 library->recover(made, &point, &signature, digest) && text(library, made, &point, output);
  library->context_destroy(made);
  return is_done;
}
