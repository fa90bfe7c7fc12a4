// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct HostReadinessTests {
    private let problem = CoreError(.invalidHost, "no")

    private func standings(_ readiness: HostReadiness) -> String {
        readiness.checks.map {
            switch $0.outcome {
            case .notReached: "-"
            case .running: "?"
            case .passed: "+"
            case .warned: "!"
            case .failed: "x"
            }
        }.joined()
    }

    @Test func `a check that begins lets those before it pass, and leaves those after it open`() {
        var readiness = HostReadiness([.network, .server, .loginShell, .tmux])
        #expect(standings(readiness) == "----")
        #expect(!readiness.isReady)
        readiness.begin(.network)
        #expect(standings(readiness) == "?---")
        readiness.begin(.loginShell)
        #expect(standings(readiness) == "++?-")
        readiness.settle(.loginShell, as: .warned(problem), detail: "hello")
        #expect(standings(readiness) == "++!-")
        #expect(!readiness.isReady)
        readiness.settle(.tmux, as: .passed)
        #expect(standings(readiness) == "++!+")
        #expect(readiness.isReady)
        #expect(readiness.failure == nil)
        #expect(readiness.warnings.map(\.stableCode) == ["core.invalidHost"])
        #expect(readiness[.loginShell]?.detail == "hello")
    }

    @Test func `a failure leaves what follows not reached, and is the first thing to mend`() {
        var readiness = HostReadiness([.network, .hostKey, .tmux, .harness])
        readiness.begin(.network)
        readiness.settle(.hostKey, as: .failed(problem))
        #expect(standings(readiness) == "+x--")
        #expect(!readiness.isReady)
        readiness.settle(.tmux, as: .failed(CoreError(.invalidPort, "second")))
        readiness.settle(.harness, as: .passed)
        #expect(standings(readiness) == "+xx+")
        #expect(readiness.failure?.message == "no")
        #expect(readiness.failures.map(\.message) == ["no", "second"])
    }

    @Test func `a check that is not in the list changes nothing`() {
        var readiness = HostReadiness([.network])
        readiness.settle(.jumpHost, as: .failed(problem))
        #expect(standings(readiness) == "-")
        #expect(readiness[.jumpHost] == nil)
    }
}
