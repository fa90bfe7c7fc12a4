// Riff
// SPDX-License-Identifier: Apache-2.0

/// An SFTP session and the channel it runs on.
struct HostLinkFiles: Sendable {
    let client: SFTPClient
    let handle: SSHChannelHandle

    /// The session may learn of the end first.
    var isOver: Bool { handle.state.end.current != nil || client.session.isOver }
}

extension HostLink {
    /// The link's SFTP session, shared by all callers; made anew when the connection under it is gone.
    func sftp() async throws -> SFTPClient {
        if let opening = files {
            let open = try await opening.value
            if !open.isOver { return open.client }
            // Another caller may have begun anew in the meantime.
            if files == opening { files = nil }
            return try await sftp()
        }
        let opening = Task {
            let handle = try await start(.subsystem("sftp"))
            let channel = SSHExecChannel(handle: handle)
            return HostLinkFiles(client: try await SFTPClient.open(over: channel), handle: handle)
        }
        files = opening
        do {
            return try await opening.value.client
        } catch {
            if files == opening { files = nil }
            throw error
        }
    }
}
