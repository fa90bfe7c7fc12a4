// Riff
// SPDX-License-Identifier: Apache-2.0

#ifndef RIFF_CSILEROWEIGHTS_H
#define RIFF_CSILEROWEIGHTS_H

#include <stddef.h>

/// The weights of Silero VAD 6 for 16 kHz (MIT, LICENSE-silero): IEEE 754 numbers of 32 bits, little-endian. They are
/// part of the program, so the pointer is good for ever. Their size is 0 where the compiler could not embed the file.
const void *riff_silero_weights(size_t *bytes);

#endif
