// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

/// The sessions of a host take dictation into the active page.
extension SessionManager: TextInjecting {}
