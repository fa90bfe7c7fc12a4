// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

@Suite struct TerminalClosureTests {
    @Test func `an attempt that was given up ended on purpose`() {
        let closure = TerminalClosure(failing: CancellationError())
        #expect(closure.reason == .disconnected && closure.error == nil)
    }

    @Test func `an attempt that failed is lost, and says why`() {
        let closure = TerminalClosure(failing: TransportError(.connectionLost, "The server closed the connection."))
        #expect(closure.reason == .lost)
        #expect((closure.error as? TransportError)?.code == .connectionLost)
    }
}
