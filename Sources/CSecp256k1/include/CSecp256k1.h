#ifndef C_SECP256K1_H
#define C_SECP256K1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Functions of libsecp256k1 with its recovery module, found when the program runs. Nothing is linked, so that only
/// machines that sign need the library.
///
/// The functions and the sizes of their structures are the same in all versions that have the recovery module
/// (https://github.com/bitcoin-core/secp256k1, include/secp256k1.h and include/secp256k1_recovery.h).
typedef struct cordon_secp256k1 {
  void *handle;
  void *(*context_create)(unsigned int flags);
  void (*context_destroy)(void *context);
  int (*context_randomize)(void *context, const unsigned char *seed);
  int (*public_create)(const void *context, void *point, const unsigned char *key);
  int (*public_serialize)(const void *context, unsigned char *output, size_t *size, const void *point, unsigned int flags);
  int (*sign)(const void *context, void *signature, const unsigned char *digest, const unsigned char *key,
              const void *nonce_function, const void *nonce_data);
  int (*serialize)(const void *context, unsigned char *output, int *recovery, const void *signature);
  int (*parse)(const void *context, void *signature, const unsigned char *input, int recovery);
  int (*recover)(const void *context, void *point, const void *signature, const unsigned char *digest);
} cordon_secp256k1;

/// Opens a library by the name of its file.
/// - Returns: whether it is there and has every function; otherwise nothing is left open.
bool cordon_secp256k1_open(const char *name, cordon_secp256k1 *library);

/// Computes the public key of a private key.
/// - Parameters:
///   - key: 32 bytes.
///   - seed: 32 random bytes, which blind the computation against measurements of time and power.
///   - point: receives 65 bytes: 4, and both coordinates.
/// - Returns: whether the key is a number from 1 to the order of the curve less 1.
bool cordon_secp256k1_public_key(
    const cordon_secp256k1 *library, const uint8_t *key, const uint8_t *seed, uint8_t *point);

/// Signs a digest with ECDSA. The nonce is that of RFC 6979, so the same digest and key give the same signature; s is the
/// smaller one of both.
/// - Parameters:
///   - digest: 32 bytes.
///   - signature: receives 64 bytes: r and s.
///   - recovery: receives 0 to 3, with which the public key follows from the signature.
bool cordon_secp256k1_sign(
    const cordon_secp256k1 *library, const uint8_t *key, const uint8_t *seed, const uint8_t *digest, uint8_t *signature,
    int *recovery);

/// Computes the public key of a signature.
/// - Parameter point: receives 65 bytes.
/// - Returns: whether the signature is one.
bool cordon_secp256k1_recover(
    const cordon_secp256k1 *library, const uint8_t *digest, const uint8_t *signature, int recovery, uint8_t *point);

#endif
