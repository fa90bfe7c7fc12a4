// Riff
// SPDX-License-Identifier: Apache-2.0

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CRiffPTY.h"
#include "descriptors.h"

#include <errno.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__APPLE__) && !TARGET_OS_OSX

int riff_start_on_pipes(const struct riff_launch *launch, struct riff_child *child, enum riff_stage *stage) {
  (void)launch, (void)child;
  *stage = RIFF_STAGE_SETUP;
  return ENOTSUP;
}

int riff_start_on_terminal(const struct riff_launch *launch, const struct riff_window *window,
                           struct riff_child *child, enum riff_stage *stage) {
  (void)launch, (void)window, (void)child;
  *stage = RIFF_STAGE_SETUP;
  return ENOTSUP;
}

#else

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

#ifndef NSIG
#define NSIG 65
#endif

struct report {
  int stage;
  int code;
};

// Below: between fork and exec only calls that POSIX lists as async-signal-safe, and raw system calls. Another thread
// of the parent may have held any lock (malloc's too) at the fork. On Linux the child runs in the parent's memory, while
// the thread that made it is held: nothing is written but to the stack, and nothing returns.

// fork copies the page tables of the whole process: the more it holds, the longer a start takes.
#if defined(__linux__)
#define make_child vfork
#else
#define make_child fork
#endif

static void close_others(int kept, int limit) {
#if defined(__linux__) && defined(SYS_close_range)
  if ((kept == 3 || syscall(SYS_close_range, 3u, (unsigned)kept - 1, 0u) == 0) &&
      syscall(SYS_close_range, (unsigned)kept + 1, ~0u, 0u) == 0)
    return;
#endif
  for (int descriptor = 3; descriptor < limit; descriptor++)
    if (descriptor != kept) close(descriptor);
}

static _Noreturn void give_up(int pipe, enum riff_stage stage) {
  struct report report = {stage, errno};
  // Smaller than PIPE_BUF, so whole or not at all; without it the parent takes the exit for a start.
  while (write(pipe, &report, sizeof report) < 0 && errno == EINTR) {}
  _exit(127);
}

static _Noreturn void become(const struct riff_launch *launch, const int standard[3], int is_terminal, int pipe,
                             int descriptor_limit) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &action, NULL);
  if (setsid() < 0) give_up(pipe, RIFF_STAGE_SETUP);
  if (is_terminal && ioctl(standard[0], TIOCSCTTY, 0) < 0) give_up(pipe, RIFF_STAGE_SETUP);
  for (int number = 0; number < 3; number++)
    if (dup2(standard[number], number) < 0) give_up(pipe, RIFF_STAGE_SETUP);
  close_others(pipe, descriptor_limit);
  if (launch->directory && chdir(launch->directory) < 0) give_up(pipe, RIFF_STAGE_DIRECTORY);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(launch->path, launch->arguments, launch->environment);
  give_up(pipe, RIFF_STAGE_EXECUTE);
}

static int descriptor_limit(void) {
  struct rlimit limit;
  // An unlimited table is not walked to its end; close_range does not need the number.
  const rlim_t most = 1 << 20;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur > most) return (int)most;
  return (int)limit.rlim_cur;
}

static int start(const struct riff_launch *launch, const int standard[3], int is_terminal, pid_t *pid,
                 enum riff_stage *stage) {
  int reader, writer;
  *stage = RIFF_STAGE_SETUP;
  int code = riff_descriptor_pair(&reader, &writer);
  if (code) return code;
  int limit = descriptor_limit();

  // A handler of the parent must not run in the child before it is reset there.
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  pid_t child = make_child();
  if (child == 0) become(launch, standard, is_terminal, writer, limit);
  code = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(writer);
  if (code) {
    close(reader);
    return code;
  }

  struct report report;
  ssize_t count;
  do count = read(reader, &report, sizeof report);
  while (count < 0 && errno == EINTR);
  close(reader);
  if (count != (ssize_t)sizeof report) {
    *stage = RIFF_STAGE_NONE;
    *pid = child;
    return 0;
  }
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  *stage = (enum riff_stage)report.stage;
  return report.code ? report.code : EIO;
}

int riff_start_on_pipes(const struct riff_launch *launch, struct riff_child *child, enum riff_stage *stage) {
  int ours[3] = {-1, -1, -1}, theirs[3] = {-1, -1, -1};
  *stage = RIFF_STAGE_SETUP;
  int code = riff_descriptor_pair(&theirs[0], &ours[0]);
  if (!code) code = riff_descriptor_pair(&ours[1], &theirs[1]);
  if (!code) code = riff_descriptor_pair(&ours[2], &theirs[2]);
  for (int number = 0; number < 3 && !code; number++) code = riff_prepare_descriptor(ours[number]);
  pid_t pid = -1;
  if (!code) code = start(launch, theirs, 0, &pid, stage);
  for (int number = 0; number < 3; number++) {
    if (theirs[number] >= 0) close(theirs[number]);
    if (code && ours[number] >= 0) close(ours[number]);
  }
  if (code) return code;
  *child = (struct riff_child){.pid = pid, .input = ours[0], .output = ours[1], .diagnostics = ours[2]};
  return 0;
}

int riff_start_on_terminal(const struct riff_launch *launch, const struct riff_window *window,
                           struct riff_child *child, enum riff_stage *stage) {
  *stage = RIFF_STAGE_SETUP;
#if defined(__linux__)
  int primary = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
#else
  int primary = posix_openpt(O_RDWR | O_NOCTTY);
#endif
  if (primary < 0) return errno;
  primary = riff_lift_descriptor(primary);
  if (primary < 0) return errno;

  char name[256];
  int code = 0, secondary = -1;
  if (grantpt(primary) < 0 || unlockpt(primary) < 0) code = errno;
  if (!code && ptsname_r(primary, name, sizeof name) != 0) code = errno;
  if (!code) code = riff_prepare_descriptor(primary);
  if (!code) code = riff_set_window(primary, window);
  if (!code) {
    // Held open here until the program runs: the primary never sees a moment with no other side.
    secondary = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (secondary >= 0) secondary = riff_lift_descriptor(secondary);
    if (secondary < 0) code = errno;
  }
  pid_t pid = -1;
  const int standard[3] = {secondary, secondary, secondary};
  if (!code) code = start(launch, standard, 1, &pid, stage);
  if (secondary >= 0) close(secondary);
  if (code) {
    close(primary);
    return code;
  }
  *child = (struct riff_child){.pid = pid, .input = primary, .output = primary, .diagnostics = -1};
  return 0;
}

#endif
