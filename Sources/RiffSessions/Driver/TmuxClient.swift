// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A terminal that looks at a session: a client of the tmux server, as the server listed it.
public struct TmuxClient: Sendable, Hashable {
    /// The name of the client in tmux: the path of its terminal on the host, such as `/dev/pts/3`.
    public let name: String
    /// Its process on the host.
    public let processID: Int
    /// The size of its terminal; `nil` where it has none (control mode).
    public let size: TerminalSize?
    /// Whether its size is ignored, because it only observes.
    public let ignoresSize: Bool

    /// Creates a client.
    package init(name: String, processID: Int, size: TerminalSize?, ignoresSize: Bool) {
        self.name = name
        self.processID = processID
        self.size = size
        self.ignoresSize = ignoresSize
    }

    /// The key that distinguishes it from every other client, those before it on the same terminal included.
    package var key: Key { Key(processID: processID, name: name) }

    /// A client by its process and its name, as options keep it.
    package struct Key: Sendable, Hashable {
        package let processID: Int
        package let name: String

        package init(processID: Int, name: String) {
            self.processID = processID
            self.name = name
        }

        /// Whether the name can stand within a command within a command, unquoted in any way.
        package var isPlain: Bool {
            !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                    default: "/_.-".utf8.contains(byte)
                    }
                }
        }
    }
}

/// The driver of a session: the terminal whose size is the size of its windows.
///
/// The lease is an option of the tmux session, `@riff-driver`, and holds only as long as the client that it names is
/// there: a driver that dies frees it by that, without anybody's help.
package struct DriverLease: Sendable, Hashable {
    /// The front end that drives.
    package let viewer: RiffIdentifier
    /// The key of the driver's client.
    package let client: TmuxClient.Key

    package init(viewer: RiffIdentifier, client: TmuxClient.Key) {
        self.viewer = viewer
        self.client = client
    }

    /// Reads the option: `<viewer> <process> <client>`. `nil` for nothing and for anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, let processID = Int(words[1]), RiffIdentifier.isValid(words[0]) else { return nil }
        let key = TmuxClient.Key(processID: processID, name: words[2])
        // Its only error is the one that was just checked for.
        guard key.isPlain, let viewer = try? RiffIdentifier(words[0]) else { return nil }
        self.init(viewer: viewer, client: key)
    }

    /// The option's value.
    package var text: String { "\(viewer) \(client.processID) \(client.name)" }
}
