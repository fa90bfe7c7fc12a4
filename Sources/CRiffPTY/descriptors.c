// Riff
// SPDX-License-Identifier: Apache-2.0

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "descriptors.h"
#include "CRiffPTY.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

int riff_lift_descriptor(int descriptor) {
  if (descriptor > 2) {
    int flags = fcntl(descriptor, F_GETFD);
    if (flags >= 0 && fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0) return descriptor;
  }
  int lifted = descriptor > 2 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  int code = errno;
  close(descriptor);
  errno = code;
  return lifted;
}

int riff_descriptor_pair(int *reader, int *writer) {
  int ends[2];
#if defined(__linux__)
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
#else
  if (pipe(ends) < 0) return errno;
#endif
  int first = riff_lift_descriptor(ends[0]);
  int code = errno;
  int second = riff_lift_descriptor(ends[1]);
  if (second < 0) code = errno;
  if (first < 0 || second < 0) {
    if (first >= 0) close(first);
    if (second >= 0) close(second);
    return code;
  }
  *reader = first;
  *writer = second;
  return 0;
}

int riff_prepare_descriptor(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return errno;
#ifdef F_SETNOSIGPIPE
  // Not every kind of file takes it; those that do not raise no signal either.
  (void)fcntl(descriptor, F_SETNOSIGPIPE, 1);
#endif
  return 0;
}

int riff_make_pipe(int *reader, int *writer) {
  int code = riff_descriptor_pair(reader, writer);
  if (code) return code;
  code = riff_prepare_descriptor(*reader);
  if (!code) code = riff_prepare_descriptor(*writer);
  if (code) {
    close(*reader);
    close(*writer);
  }
  return code;
}

int riff_set_window(int primary, const struct riff_window *window) {
  struct winsize size = {
      .ws_row = window->rows, .ws_col = window->columns, .ws_xpixel = window->width, .ws_ypixel = window->height};
  return ioctl(primary, TIOCSWINSZ, &size) < 0 ? errno : 0;
}
