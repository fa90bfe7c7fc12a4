// Riff
// SPDX-License-Identifier: Apache-2.0

#ifndef RIFF_CRIFFPTY_H
#define RIFF_CRIFFPTY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What was being done when a start failed.
enum riff_stage {
  RIFF_STAGE_NONE = 0,
  /// Pipes, the pseudo-terminal or the process itself could not be made.
  RIFF_STAGE_SETUP = 1,
  /// The working directory could not be entered.
  RIFF_STAGE_DIRECTORY = 2,
  /// The program could not be run.
  RIFF_STAGE_EXECUTE = 3
};

/// What to run. Every pointer stays the caller's; the arrays end with NULL.
struct riff_launch {
  const char *path;
  char *const *arguments;
  char *const *environment;
  /// Directory to start in, or NULL for the caller's own.
  const char *directory;
};

/// A started child: leader of its own session and process group. The descriptors are the caller's to close, are
/// close-on-exec and do not block. A child on a pseudo-terminal has its primary side in `input` and `output` alike
/// (one descriptor, to be closed once) and -1 in `diagnostics`.
struct riff_child {
  pid_t pid;
  int input;
  int output;
  int diagnostics;
};

struct riff_window {
  uint16_t columns;
  uint16_t rows;
  uint16_t width;
  uint16_t height;
};

/// Starts a program on three pipes, or on a new pseudo-terminal of the given size. Returns when the program runs or is
/// known not to: 0, or an errno value with `stage` telling what failed, in which case nothing is left behind.
/// Safe to call from any thread at any time. ENOTSUP where the platform has no fork (iOS, tvOS, visionOS, watchOS).
int riff_start_on_pipes(const struct riff_launch *launch, struct riff_child *child, enum riff_stage *stage);
int riff_start_on_terminal(const struct riff_launch *launch, const struct riff_window *window,
                           struct riff_child *child, enum riff_stage *stage);

/// Tells the terminal behind a primary side its size. 0 or an errno value.
int riff_set_window(int primary, const struct riff_window *window);

/// A descriptor that becomes readable (or hung up) when the child of this id has ended, without reaping it: a pidfd
/// where the kernel has them, otherwise the end of a pipe held by one waiting thread. Returns -1 with errno set.
int riff_exit_descriptor(pid_t pid);
/// The same by a waiting thread on every platform.
int riff_exit_descriptor_by_thread(pid_t pid);

/// How an ended child ended. Returns 1 when it has, 0 when it runs, -1 with errno set when it is not ours to ask.
/// `status` is the exit status, or the number of the signal where `signaled` is 1. With `reap`, its entry is released.
int riff_child_status(pid_t pid, int reap, int *status, int *signaled);

/// A pipe, both ends close-on-exec and not blocking. 0 or an errno value.
int riff_make_pipe(int *reader, int *writer);

/// Runs a function on a new detached thread with every signal blocked. 0 or an errno value.
int riff_start_thread(void (*body)(void *), void *context);

/// The system's words for an errno value, as text ended by NUL.
void riff_error_text(int code, char *text, size_t size);

#endif
