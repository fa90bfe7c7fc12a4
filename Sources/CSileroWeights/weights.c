// Riff
// SPDX-License-Identifier: Apache-2.0

#include "CSileroWeights.h"

// The file is written by scripts/extract-silero-weights. The compiler takes it as it is: no literal of a million numbers
// is parsed, and nothing is looked for at run time.
#if defined(__has_embed)
#if __has_embed("silero_vad_v6_16k.f32")
#define RIFF_HAS_WEIGHTS 1
#endif
#endif

#ifdef RIFF_HAS_WEIGHTS
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
_Alignas(16) static const unsigned char weights[] = {
#embed "silero_vad_v6_16k.f32"
};
#pragma clang diagnostic pop

const void *riff_silero_weights(size_t *bytes) {
  *bytes = sizeof weights;
  return weights;
}
#else
const void *riff_silero_weights(size_t *bytes) {
  *bytes = 0;
  return "";
}
#endif
