// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// An SFTP session and the channel it runs on.
struct HostLinkFiles: Sendable {
    /// A session that is being opened, or was: shared by all who ask for it meanwhile.
    struct Opening: Sendable {
        let task: Task<Void, Never>
        let outcome: EventualValue<Result<HostLinkFiles, any Error>>

        /// Ends the session once it is open; what makes it fail to open has to be done before.
        func close() async {
            await task.value
            if case .success(let open)? = outcome.current { await open.client.close() }
        }
    }

    let client: SFTPClient
    let handle: SSHChannelHandle

    /// The session may learn of the end first.
    var isOver: Bool { handle.state.end.current != nil || client.session.isOver }
}

extension HostLink {
    /// Returns the link's SFTP session, shared by all callers; a new one is made when the connection under it is gone.
    ///
    /// - Throws: What made the opening fail; `CancellationError` when the caller is cancelled, who alone gives it up.
    func sftp() async throws -> SFTPClient {
        while true {
            let opening = files ?? openFiles()
            switch try await opening.outcome.cancellableValue() {
            case .success(let open) where !open.isOver: return open.client
            case .success: forget(opening.outcome)
            case .failure(let error) where error is CancellationError:
                // The link was ended under it, not this caller.
                throw HostLink.notConnected(configuration)
            case .failure(let error): throw error
            }
        }
    }

    private func openFiles() -> HostLinkFiles.Opening {
        let outcome = EventualValue<Result<HostLinkFiles, any Error>>()
        let task = Task {
            do {
                let handle = try await start(.subsystem("sftp"))
                let client = try await greet(handle)
                outcome.resolve(.success(HostLinkFiles(client: client, handle: handle)))
            } catch {
                forget(outcome)
                outcome.resolve(.failure(error))
            }
        }
        let opening = HostLinkFiles.Opening(task: task, outcome: outcome)
        files = opening
        return opening
    }

    /// Greets the file service, which must answer in time.
    private func greet(_ handle: SSHChannelHandle) async throws -> SFTPClient {
        let (limit, host, clock) = (configuration.operationTimeout, configuration.address, clock)
        do {
            return try await withDeadline(limit, clock: clock) {
                try await SFTPClient.open(over: SSHExecChannel(handle: handle))
            }
        } catch is DeadlineExceeded {
            let message = "The file service of \(host) did not answer in \(limit)."
            throw TransportError(.timeout, message, recovery: .retry)
        }
    }

    /// Forgets an SFTP session: the next caller opens another one, unless one is being opened in the meantime.
    private func forget(_ outcome: EventualValue<Result<HostLinkFiles, any Error>>) {
        if files?.outcome === outcome { files = nil }
    }
}
