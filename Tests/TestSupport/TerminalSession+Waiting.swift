// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
package import RiffSessions
package import RiffTransport

extension TerminalSession {
    /// Waits until it takes keys (again).
    package func waitUntilOpen() async throws {
        for await state in updates() where state.isOpen { return }
        throw TransportError(.closed, "The session ended instead.")
    }

    /// Waits for its end.
    package func closure() async -> TerminalClosure {
        for await state in updates() { if case .ended(let closure) = state { return closure } }
        return TerminalClosure(.lost)
    }
}
