// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

/// A terminal session takes dictation as it is: its own `type(_:submit:)` filters the text and sends Return apart.
extension TerminalSession: TextInjecting {}
