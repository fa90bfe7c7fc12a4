// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A host reached by SSH: commands on channels of the link's connections, files by SFTP.
package struct SSHHostSession: Sendable {
    let link: HostLink
    /// Whether a command dials a link that is not wanted any more.
    private let dials: Bool

    /// A way into the host of a link.
    package init(link: HostLink) { self.init(link: link, dials: true) }

    init(link: HostLink, dials: Bool) {
        self.link = link
        self.dials = dials
    }

    /// Runs a command to its end and collects what it wrote.
    ///
    /// A command cut short loses its channel, and is ended on the host with what it started, as far as its process
    /// group goes. This call does not wait for that.
    ///
    /// - Returns: What it wrote, and how it ended.
    /// - Throws: A ``RiffError``: `timeout`, `outputTooLarge`, `connectionLost`, or why the host could not be reached;
    ///   `CancellationError`.
    package func run(
        _ command: String,
        input: [UInt8],
        outputLimit: Int,
        timeout: Duration
    ) async throws -> CommandResult {
        do {
            return try await withDeadline(timeout, clock: link.clock) {
                try await complete(command, input: input, outputLimit: outputLimit)
            }
        } catch is DeadlineExceeded {
            let (program, host) = (nameForMessages(of: command), link.configuration.address)
            throw TransportError(.timeout, "\(program) did not end within \(timeout) on \(host).", recovery: .retry)
        }
    }

    @concurrent
    private func complete(_ command: String, input: [UInt8], outputLimit: Int) async throws -> CommandResult {
        let remote = SSHRemoteCommand()
        let link = link
        let setup = SSHChannelState.Setup(holdsDiagnostics: true, diagnosticsHead: remote.head)
        let program = SSHChannelProgram.command(command, report: remote.marker, isBulk: true)
        let handle = try await link.start(program, setup, dials: dials, leftovers: { await remote.end($0, on: link) })
        do {
            let channel = SSHExecChannel(handle: handle)
            let most = min(outputLimit, .max - remote.reportBytes) + remote.reportBytes
            let result = try await channel.converse(input: input, outputLimit: most)
            await channel.close()
            return try remote.result(of: result, outputLimit: outputLimit)
        } catch {
            await remote.end(handle, on: link)
            throw error
        }
    }

    /// Starts a command and returns the channel to it; 8-bit clean, standard error apart.
    package func openChannel(_ command: String) async throws -> any ByteChannel {
        SSHExecChannel(handle: try await link.start(.command(command)))
    }
}
