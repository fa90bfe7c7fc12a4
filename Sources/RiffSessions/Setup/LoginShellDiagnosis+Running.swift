// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension LoginShellDiagnosis {
    /// Asks a host why its login shell did not run a command.
    ///
    /// - Parameters:
    ///   - host: The host's name, for messages.
    ///   - user: The account.
    ///   - clock: Measures how long the answer is waited for.
    ///   - open: Starts a line on the host as it is.
    /// - Returns: What is wrong; `nil` where nothing was found, or the host gave no answer.
    static func problem(
        on host: String,
        user: String,
        clock: any Clock<Duration>,
        open: @escaping @Sendable (String) async throws -> any ByteChannel
    ) async -> CoreError? {
        let question = LoginShellDiagnosis()
        // A host that does not answer has another problem, which shows elsewhere.
        let result = try? await withDeadline(.seconds(20), clock: clock) {
            let channel = try await open(question.line)
            do {
                let result = try await channel.converse(input: [], outputLimit: 1 << 18)
                await channel.close()
                return result
            } catch {
                await channel.close()
                throw error
            }
        }
        return result.flatMap { question.problem(in: $0.output, on: host, user: user) }
    }
}

extension HostLink {
    /// Returns the reason why the login shell did not run a command, asked on the open connection; `nil` if none was
    /// found.
    func loginShellProblem() async -> CoreError? {
        guard current.connection == .connected else { return nil }
        return await LoginShellDiagnosis.problem(
            on: "\(configuration.address)",
            user: configuration.user,
            clock: clock
        ) { [self] line in try await SSHHostSession(link: self).openChannel(line) }
    }
}
