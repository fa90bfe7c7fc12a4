// Riff
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The suites of this target that use programs, sockets or real time, one after another.
@Suite(.serialized) enum InTurn {}
