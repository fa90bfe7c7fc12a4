// Riff
// SPDX-License-Identifier: Apache-2.0

// The POSIX form of strerror_r, which glibc gives only without _GNU_SOURCE.
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "CRiffPTY.h"

#include <stdio.h>
#include <string.h>

void riff_error_text(int code, char *text, size_t size) {
  if (strerror_r(code, text, size) != 0) snprintf(text, size, "error %d", code);
}
