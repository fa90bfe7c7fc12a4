// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Variables that a person's own shell sets and this process lacks, as an app that was not started from a terminal
/// does: `PATH`, `SSH_AUTH_SOCK`. Asked for once, before the first command; see ``LocalHostSession``.
package final class EnvironmentEnrichment: Sendable {
    /// Finds the variables.
    package typealias Probe = @Sendable () async throws -> [String: String]

    private let probe: Probe
    private let outcome = EventualValue<Result<[String: String], any Error>>()
    private let isAsked = Mutex(false)

    /// Creates an enrichment with variables found by a closure, which is called once.
    package init(_ probe: @escaping Probe) { self.probe = probe }

    /// The variables; empty where they could not be found, which is no reason to refuse a command: ``problem`` tells.
    ///
    /// - Throws: `CancellationError`, when the task that waits is cancelled; the probe goes on for others.
    package func variables() async throws -> [String: String] {
        let isFirst = isAsked.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
        if isFirst {
            // Not a child of the first caller's task, whose cancellation must not take the answer from the others. It
            // ends by the probe's own limit.
            Task { [probe, outcome] in
                do { outcome.resolve(.success(try await probe())) } catch { outcome.resolve(.failure(error)) }
            }
        }
        guard case .success(let variables) = try await outcome.cancellableValue() else { return [:] }
        return variables
    }

    /// Why the variables could not be found; `nil` while it is not known, and where they were.
    package var problem: (any Error)? {
        guard case .failure(let error)? = outcome.current else { return nil }
        return error
    }
}

extension EnvironmentEnrichment {
    /// Variables as the account's login shell sets them: asked as an interactive login shell first (`-l -i`), since
    /// many people set them in the files that only those read, and as a login shell where that does not work.
    ///
    /// - Parameters:
    ///   - names: The variables' names.
    ///   - shell: The shell; `nil` takes the account's.
    ///   - timeout: How long each of the two questions may take.
    /// - Returns: An enrichment that has not asked yet.
    package static func loginShell(
        _ names: [String] = ["PATH", "SSH_AUTH_SOCK"],
        shell: String? = nil,
        timeout: Duration = .seconds(5)
    ) -> EnvironmentEnrichment {
        EnvironmentEnrichment {
            let question = LoginShellQuestion(names: names, nonce: UInt64.random(in: .min ... .max))
            let shell = shell ?? LocalAccount.shell()
            var failure: (any Error)?
            for flags in [["-l", "-i"], ["-l"]] {
                do {
                    return try await question.ask(shell, flags, timeout: timeout)
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    failure = error
                }
            }
            throw failure ?? TransportError(.commandFailed, "\(shell) did not tell its variables.")
        }
    }
}

/// Asks a shell for variables, whatever its profile writes before and after.
struct LoginShellQuestion {
    let names: [String]
    let nonce: UInt64

    private var marker: String { "riff-env-\(String(nonce, radix: 16))" }

    /// The line that any login shell runs: `sh` reads the variables that it was given.
    func line() throws(CoreError) -> String {
        // `eval` sees names only, and they are checked below.
        let script =
            #"printf '\n%s\n' "$1"; m=$1; shift; for n do eval "test -n \"\${$n+x}\" && printf '%s=%s\0' \"\$n\" \"\${$n}\""; "#
            + #"done; printf '%s' "$m""#
        for name in names { _ = try ShellWord([.variable(name)]).quoted() }
        return "exec " + (try ShellQuoting.join(["sh", "-c", script, "sh", marker] + names))
    }

    func ask(_ shell: String, _ flags: [String], timeout: Duration) async throws -> [String: String] {
        let line = try line()
        let result: CommandResult
        do {
            result = try await withDeadline(timeout, clock: ContinuousClock()) {
                let process = try await LocalProcess.start(LocalCommand(shell, flags + ["-c", line]))
                do {
                    let result = try await process.converse(input: [], outputLimit: 1 << 20)
                    await process.close()
                    return result
                } catch {
                    await process.close()
                    throw error
                }
            }
        } catch is DeadlineExceeded {
            throw TransportError(.timeout, "\(shell) did not tell its variables in \(timeout).", recovery: .retry)
        }
        guard let found = read(result.text) else {
            throw result.failure(of: shell, on: "this machine")
                ?? TransportError(.commandFailed, "\(shell) did not tell its variables.")
        }
        return found
    }

    /// The variables between the markers; `nil` where both are not there.
    func read(_ text: String) -> [String: String]? {
        guard let start = text.firstRange(of: "\n\(marker)\n"),
            let end = text[start.upperBound...].firstRange(of: marker)
        else { return nil }
        var found: [String: String] = [:]
        for entry in text[start.upperBound..<end.lowerBound].split(byte: "\0") {
            guard let sign = entry.firstIndex(byte: "=") else { continue }
            found[String(entry[..<sign])] = String(entry[entry.utf8.index(after: sign)...])
        }
        return found
    }
}
