// Riff
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The suites of this target that use programs, sockets, locks or real time. They run one after another: all at once
/// they would wait for each other's processor, and find their deadlines past.
@Suite(.serialized) enum InTurn {}
