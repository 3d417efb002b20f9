// The digests and codes of OpenSSL's libcrypto.
#ifndef CCRYPTO_H
#define CCRYPTO_H
#include <openssl/crypto.h>
#include <openssl/evp.h>
#endif
