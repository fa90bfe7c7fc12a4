// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import RiffTesting
import TestSupport
import Testing

/// Tests that start real SSH servers: one after another, so that none fails for want of time on a small machine.
@Suite(
    .serialized,
    .enabled(if: ThrowawaySSHServer.isInstalled, "needs sshd and ssh-keygen"),
    .timeLimit(.minutes(5))
)
enum RealServers {}
