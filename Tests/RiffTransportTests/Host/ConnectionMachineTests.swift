// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

struct ConnectionMachineTests {
    /// A machine after these events.
    private func make(_ events: ConnectionMachine.Event..., policy: ReconnectPolicy = .standard) -> ConnectionMachine {
        var machine = ConnectionMachine(policy: policy)
        for event in events { _ = machine.handle(event) }
        return machine
    }

    @Test func `a loss is followed by the exact schedule, and a success resets it`() {
        var machine = make(.wanted, .dialSucceeded)
        for _ in 0..<2 {
            var effects = machine.handle(.lost)
            for (index, seconds) in [1, 2, 4, 8, 15, 15, 15].enumerated() {
                let delay = Duration.seconds(seconds)
                #expect(effects == [.startTimer(delay)])
                #expect(machine.state == .reconnecting(attempt: index + 1, delay: delay))
                #expect(machine.handle(.timerFired) == [.dial])
                #expect(machine.state == .reconnecting(attempt: index + 1, delay: nil))
                effects = machine.handle(.dialFailed(isRetryable: true))
            }
            #expect(machine.handle(.timerFired) == [.dial])
            #expect(machine.handle(.dialSucceeded) == [])
            #expect(machine.state == .connected)
        }
    }

    @Test func `the first dial is tried once, or as often as the policy says`() {
        var machine = make(.wanted)
        #expect(machine.state == .connecting)
        #expect(machine.handle(.dialFailed(isRetryable: true)) == [])
        #expect(machine.state == .disconnected(.failed))
        #expect(machine.handle(.wanted) == [.dial])

        machine = make(.wanted, policy: ReconnectPolicy(delays: [.seconds(3)], firstDialAttempts: 3))
        for _ in 0..<2 {
            #expect(machine.handle(.dialFailed(isRetryable: true)) == [.startTimer(.seconds(3))])
            #expect(machine.handle(.timerFired) == [.dial])
        }
        #expect(machine.handle(.dialFailed(isRetryable: true)) == [])
        #expect(machine.state == .disconnected(.failed))
    }

    @Test func `a link that is kept tries a failed first dial again by the schedule, and tells who waits`() {
        var machine = make(.kept, .wanted)
        #expect(!machine.hasFailedAtFirst)
        for (index, seconds) in [1, 2, 4, 8, 15, 15].enumerated() {
            let delay = Duration.seconds(seconds)
            #expect(machine.handle(.dialFailed(isRetryable: true)) == [.startTimer(delay)])
            #expect(machine.state == .reconnecting(attempt: index + 1, delay: delay))
            #expect(machine.hasFailedAtFirst)
            #expect(machine.handle(.timerFired) == [.dial])
        }
        #expect(machine.handle(.dialSucceeded) == [])
        #expect(machine.state == .connected && !machine.hasFailedAtFirst)
        // Kept after it had failed, it is tried again as well; not where that mends nothing.
        machine = make(.wanted, .dialFailed(isRetryable: true))
        #expect(machine.handle(.kept) == [.startTimer(.seconds(1))])
        #expect(machine.hasFailedAtFirst)
        #expect(machine.handle(.dialSucceeded) == [.close])
        #expect(machine.handle(.unwanted) == [.cancelTimer])
        machine = make(.wanted, .dialFailed(isRetryable: false))
        #expect(machine.handle(.kept) == [])
        #expect(machine.state == .disconnected(.failed))
        machine = make(.kept, .wanted)
        #expect(machine.handle(.dialFailed(isRetryable: false)) == [])
        #expect(machine.state == .disconnected(.failed))
        // A deliberate end ends that, too.
        machine = make(.kept, .wanted, .unwanted, .wanted)
        #expect(machine.handle(.dialFailed(isRetryable: true)) == [])
        #expect(machine.state == .disconnected(.failed))
    }

    @Test(arguments: [ConnectionMachine.Event.foregrounded, .pathChanged])
    func `a failed first dial is tried again when the network or the person comes back`(
        _ event: ConnectionMachine.Event
    ) {
        var machine = make(.wanted, .dialFailed(isRetryable: true))
        #expect(machine.state == .disconnected(.failed))
        #expect(machine.handle(event) == [.dial])
        #expect(machine.state == .connecting)
        #expect(machine.handle(.dialFailed(isRetryable: true)) == [])
        #expect(machine.handle(event) == [.dial])
        #expect(machine.handle(.dialSucceeded) == [])
        #expect(machine.state == .connected)
        machine = make(.wanted, .dialFailed(isRetryable: false))
        #expect(machine.handle(event) == [])
        // Another dial that failed for good after one that did not.
        machine = make(.wanted, .dialFailed(isRetryable: true), .wanted, .dialFailed(isRetryable: false))
        #expect(machine.handle(event) == [])
    }

    @Test func `a failure that no retry mends ends the attempts`() {
        var machine = make(.wanted, .dialSucceeded, .lost, .timerFired)
        #expect(machine.handle(.dialFailed(isRetryable: false)) == [])
        #expect(machine.state == .disconnected(.failed))
        for event in [ConnectionMachine.Event.timerFired, .foregrounded, .pathChanged, .lost] {
            #expect(machine.handle(event) == [])
        }
    }

    @Test func `a deliberate end closes what there is, and nothing reconnects`() {
        let before: [(ConnectionMachine, [ConnectionMachine.Effect])] = [
            (make(), []), (make(.wanted), [.close]), (make(.wanted, .dialSucceeded), [.close]),
            (make(.wanted, .dialSucceeded, .lost), [.cancelTimer]),
            (make(.wanted, .dialSucceeded, .lost, .timerFired), [.close]),
            (make(.wanted, .dialSucceeded, .suspended), []),
        ]
        for (start, effects) in before {
            var machine = start
            #expect(machine.handle(.unwanted) == effects)
            for event in [ConnectionMachine.Event.lost, .timerFired, .foregrounded, .pathChanged, .suspended] {
                #expect(machine.handle(event) == [])
            }
            #expect(machine.handle(.dialFailed(isRetryable: true)) == [])
            #expect(machine.handle(.dialSucceeded) == [.close])
            #expect(machine.state == .disconnected(.deliberate))
        }
    }

    @Test(arguments: [ConnectionMachine.Event.foregrounded, .pathChanged])
    func `waking probes what is there, and dials what is waited for at once`(_ event: ConnectionMachine.Event) {
        var machine = make(.wanted, .dialSucceeded)
        #expect(machine.handle(event) == [.probe])
        machine = make(.wanted, .dialSucceeded, .lost, .timerFired, .dialFailed(isRetryable: true))
        #expect(machine.handle(event) == [.cancelTimer, .dial])
        #expect(machine.handle(.timerFired) == [])
        #expect(machine.handle(.dialFailed(isRetryable: true)) == [.startTimer(.seconds(2))])
        machine = make()
        #expect(machine.handle(event) == [])
    }

    @Test func `suspending closes, and only the foreground brings it back`() {
        var machine = make(.wanted, .dialSucceeded)
        #expect(machine.handle(.suspended) == [.close])
        #expect(machine.state == .disconnected(.suspended))
        #expect(machine.handle(.lost) == [])
        #expect(machine.handle(.pathChanged) == [])
        #expect(machine.handle(.foregrounded) == [.dial])
        #expect(machine.state == .reconnecting(attempt: 1, delay: nil))
        #expect(machine.handle(.dialFailed(isRetryable: true)) == [.startTimer(.seconds(2))])
        machine = make(.wanted, .dialSucceeded, .lost)
        #expect(machine.handle(.suspended) == [.cancelTimer])
    }

    @Test func `events that do not fit change nothing`() {
        var machine = make(.wanted)
        for event in [ConnectionMachine.Event.wanted, .lost, .timerFired] { #expect(machine.handle(event) == []) }
        #expect(machine.state == .connecting)
        #expect(machine.state.isUnderWay)
        #expect(machine.handle(.dialSucceeded) == [])
        #expect(!machine.state.isUnderWay)
    }
}

struct ConnectionProblemTests {
    @Test func `each problem has its words and what to do`() throws {
        let host = try HostAddress("box", port: 2222)
        let shell = UnsupportedShell(path: "/bin/csh")
        let program = try #require(MissingProgram(status: 127, diagnostics: "zsh:1: command not found: tmux"))
        let table: [(ConnectionProblem, String, Recovery?, Bool)] = [
            (
                .keyNotAuthorized(host: host, command: "echo"),
                "Key not authorized: has the public key been added on box:2222?",
                .authorizeKey(command: "echo"), false
            ),
            (
                .unreachable(host: host),
                "Can't reach box:2222. Is it on, and is your private network, such as Tailscale, connected?",
                .checkNetwork, true
            ),
            (.refused(host: host), "port 2222", .openSettings(.port), true),
            (.unknownHost(host: host), "box", .openSettings(.host), true),
            (
                .hostKeyMismatch(host: host, expected: "SHA256:a", got: "SHA256:b", pin: "p"),
                "SHA256:a was trusted, SHA256:b",
                .resetHostKey(pin: "p"), false
            ),
            (
                .programMissing(program, host: "\(host)"), "tmux was not found on box:2222", .installProgram("tmux"),
                false
            ),
            (
                .unsupportedShell(shell, host: host), "/bin/csh", .changeLoginShell(command: "chsh -s /bin/bash"),
                false
            ),
            (.timedOut(host: host), "did not answer in time", .retry, true),
            (.droppedBeforeGreeting(host: host), "too many connections", .retry, true),
        ]
        for (problem, words, recovery, isRetryable) in table {
            #expect(problem.message.contains(words), "\(problem.message)")
            #expect(problem.recovery == recovery)
            #expect(problem.kind.isRetryable == isRetryable)
        }
    }

    @Test func `a command's end is diagnosed`() throws {
        let host = try HostAddress("box")
        func kind(_ status: Int?, _ output: String) -> ConnectionProblem.Kind? {
            ConnectionProblem.diagnose(status: status, output: output, host: host)?.kind
        }
        #expect(kind(127, "bash: line 1: exec: tmux: not found") == .programMissing)
        #expect(kind(93, "\n__RIFF_UNSUPPORTED_SHELL__ /bin/csh\n") == .unsupportedShell)
        #expect(kind(1, "duplicate session: riff") == nil)
        #expect(kind(0, "") == nil)
    }
}
