// Riff
// SPDX-License-Identifier: Apache-2.0

#ifndef RIFF_CLIBSSH2_SHIM_H
#define RIFF_CLIBSSH2_SHIM_H

#include <libssh2.h>

typedef ssize_t (*riff_libssh2_send)(libssh2_socket_t, const void *, size_t, int, void **);
typedef ssize_t (*riff_libssh2_recv)(libssh2_socket_t, void *, size_t, int, void **);
typedef void (*riff_libssh2_disconnect)(LIBSSH2_SESSION *, int, const char *, int, const char *, int, void **);

// libssh2_session_callback_set takes a void pointer up to 1.11.0 and is replaced by callback_set2 after it.
static inline void riff_libssh2_set_callbacks(
    LIBSSH2_SESSION *session, riff_libssh2_send send, riff_libssh2_recv recv, riff_libssh2_disconnect disconnect) {
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(session, LIBSSH2_CALLBACK_SEND, (libssh2_cb_generic *)send);
    libssh2_session_callback_set2(session, LIBSSH2_CALLBACK_RECV, (libssh2_cb_generic *)recv);
    libssh2_session_callback_set2(session, LIBSSH2_CALLBACK_DISCONNECT, (libssh2_cb_generic *)disconnect);
#else
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_SEND, (void *)send);
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_RECV, (void *)recv);
    libssh2_session_callback_set(session, LIBSSH2_CALLBACK_DISCONNECT, (void *)disconnect);
#endif
}

#endif
