// Riff
// SPDX-License-Identifier: Apache-2.0

#ifndef RIFF_CZLIB_SHIM_H
#define RIFF_CZLIB_SHIM_H

#include <zlib.h>

// These are macros of zlib.h, which Swift does not see.
static inline int riff_deflateInit2(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}
static inline int riff_inflateInit2(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
