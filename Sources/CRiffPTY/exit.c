// Riff
// SPDX-License-Identifier: Apache-2.0

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CRiffPTY.h"
#include "descriptors.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

struct thread_start {
  void (*body)(void *);
  void *context;
};

static void *run_thread(void *context) {
  struct thread_start start = *(struct thread_start *)context;
  free(context);
  start.body(start.context);
  return NULL;
}

int riff_start_thread(void (*body)(void *), void *context) {
  struct thread_start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct thread_start){body, context};
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code) {
    free(start);
    return code;
  }
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // A thread inherits the mask of the one that makes it. SIGPIPE of a write is delivered to the writing thread: blocked
  // here it stays pending there, and the write says EPIPE.
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  pthread_t thread;
  code = pthread_create(&thread, &attributes, run_thread, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (code) free(start);
  return code;
}

struct waiter {
  pid_t pid;
  int writer;
};

static void wait_for_end(void *context) {
  struct waiter waiter = *(struct waiter *)context;
  free(context);
  siginfo_t info;
  while (waitid(P_PID, (id_t)waiter.pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  close(waiter.writer);
}

int riff_exit_descriptor_by_thread(pid_t pid) {
  int reader;
  struct waiter *waiter = malloc(sizeof *waiter);
  if (!waiter) return -1;
  waiter->pid = pid;
  int code = riff_descriptor_pair(&reader, &waiter->writer);
  if (!code) {
    int writer = waiter->writer;
    code = riff_start_thread(wait_for_end, waiter);
    if (!code) return reader;
    close(reader);
    close(writer);
  }
  free(waiter);
  errno = code;
  return -1;
}

int riff_exit_descriptor(pid_t pid) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  // Close-on-exec by itself. Kernels before 5.3 and some sandboxes do not have it.
  int descriptor = (int)syscall(SYS_pidfd_open, pid, 0u);
  if (descriptor >= 0) return descriptor;
  if (errno != ENOSYS && errno != EPERM && errno != EINVAL) return -1;
#endif
  return riff_exit_descriptor_by_thread(pid);
}

int riff_child_status(pid_t pid, int reap, int *status, int *signaled) {
  siginfo_t info = {0};
  int result;
  do result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | (reap ? 0 : WNOWAIT));
  while (result < 0 && errno == EINTR);
  if (result < 0) return -1;
  if (info.si_pid == 0) return 0;
  *signaled = info.si_code != CLD_EXITED;
  *status = info.si_status;
  return 1;
}
