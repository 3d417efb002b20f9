#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"); no header
// of its own declares this.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
