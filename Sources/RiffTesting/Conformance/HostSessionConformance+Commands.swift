// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension HostSessionConformance {
    /// Output and standard error come apart, with the status.
    public func runsACommand() async throws {
        try await bounded(#function, by: deadline) {
            let result = try await run("echo out; echo err >&2")
            let expected = CommandResult(
                output: Array("out\n".utf8),
                diagnostics: Array("err\n".utf8),
                exit: .exited(0)
            )
            try expect(result == expected, "expected out, err and 0; got \(result)")
        }
    }

    /// A status that is not zero, and a signal, are results.
    public func tellsHowItEnded() async throws {
        try await bounded(#function, by: deadline) {
            for (script, expected) in [
                ("exit 3", ExitStatus.exited(3)), ("riff-no-such-program", .exited(127)),
                ("kill -TERM $$", .signaled("TERM")),
            ] {
                let result = try await run(script)
                try expect(result.exit == expected, "\(script) ended with \(String(describing: result.exit))")
            }
        }
    }

    /// 1 MiB of every byte value goes in and comes back.
    public func givesInput() async throws {
        try await bounded(#function, by: deadline) {
            let input = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) }
            let result = try await session.run(line("exec cat"), input: input, outputLimit: 2 << 20, timeout: limit)
            try expect(result.output == input, "of \(input.count) bytes \(result.output.count) came back")
        }
    }

    /// A command that ends without reading its input is a result.
    public func answersACommandThatReadsNoInput() async throws {
        try await bounded(#function, by: deadline) {
            let input = [UInt8](repeating: 65, count: 4 << 20)
            let result = try await session.run(line("echo early"), input: input, outputLimit: 64, timeout: limit)
            try expect(result.text == "early\n" && result.exit == .exited(0), "got \(result.exit, or: "no status")")
        }
    }

    /// Output or standard error beyond the limit throws `outputTooLarge` and ends the command.
    public func limitsOutput() async throws {
        try await bounded(#function, by: deadline) {
            for script in ["exec cat /dev/zero", "exec cat /dev/zero >&2"] {
                try await expect(.outputTooLarge, "\(script), limited to 64 KiB,") {
                    _ = try await session.run(line(script), input: [], outputLimit: 64 * 1024, timeout: limit)
                }
            }
            let result = try await session.run(line("printf 12345"), input: [], outputLimit: 5, timeout: limit)
            try expect(result.text == "12345", "five bytes are within a limit of five")
        }
    }

    /// A command that outlives its deadline throws `timeout`, and is ended with what it started.
    public func endsACommandAtItsDeadline() async throws {
        try await check { room in
            try await expect(.timeout, "a command that outlives its deadline") {
                _ = try await session.run(
                    line("echo $$ >\(room)/id; sleep \(60 * Patience.factor); echo over"),
                    input: [],
                    outputLimit: 64,
                    timeout: .seconds(1)
                )
            }
            try await expectEnded(idIn: "\(room)/id")
        }
    }

    /// A command whose task is cancelled is ended.
    public func endsACancelledCommand() async throws {
        try await check { room in
            let running = Task {
                try await session.run(
                    line("echo $$ >\(room)/id; exec sleep \(60 * Patience.factor)"),
                    input: [],
                    outputLimit: 64,
                    timeout: limit
                )
            }
            // The shell of the second command waits until the first one runs, so that nothing is cancelled before.
            _ = try await run("while [ ! -s \(room)/id ]; do sleep 0.05; done")
            running.cancel()
            let result = await running.result
            try expect(result.isCancellation, "a cancelled run must throw CancellationError, and gave \(result)")
            try await expectEnded(idIn: "\(room)/id")
        }
    }

    /// Thirty-two commands at once are answered each with its own output.
    public func runsManyAtOnce() async throws {
        try await bounded(#function, by: deadline) {
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<32 {
                    group.addTask { (number, try await run("echo \(number)").text) }
                }
                for try await (number, text) in group {
                    try expect(text == "\(number)\n", "command \(number) was answered with \(text)")
                }
            }
        }
    }

    /// Its channels keep every rule of `ByteChannel`.
    public func opensChannels() async throws {
        try await ByteChannelConformance(deadline: deadline) { try await session.openChannel($0) }.runAll()
    }

    /// Waits on the host, for ten seconds where nothing makes it slow, for a process to be gone.
    private func expectEnded(idIn path: String) async throws {
        let result = try await run(
            "id=$(cat \(path)); n=0; while kill -0 $id 2>/dev/null; do n=$((n+1)); [ $n -gt \(100 * Patience.factor) ] "
                + "&& ps -o ppid= -o pgid= -o stat= -o args= -p $id && exit 1; sleep 0.1; done"
        )
        try expect(result.exit == .exited(0), "the command still runs on the host: \(result.text)")
    }
}

extension DefaultStringInterpolation {
    fileprivate mutating func appendInterpolation(_ value: ExitStatus?, or none: String) {
        appendInterpolation(value.map { "\($0)" } ?? none)
    }
}
