// Riff
// SPDX-License-Identifier: Apache-2.0

#ifndef RIFF_CRIFFPTY_DESCRIPTORS_H
#define RIFF_CRIFFPTY_DESCRIPTORS_H

/// A close-on-exec, blocking pipe with both ends above 2, so that standard descriptors can be put in place in any
/// order. 0 or an errno value.
int riff_descriptor_pair(int *reader, int *writer);

/// The same file at a number above 2, close-on-exec; the old number is closed where it changed. -1 with errno set.
int riff_lift_descriptor(int descriptor);

/// Makes a descriptor not block, and a write to a closed pipe fail with EPIPE instead of a signal where the platform
/// can say so per descriptor. 0 or an errno value.
int riff_prepare_descriptor(int descriptor);

#endif
