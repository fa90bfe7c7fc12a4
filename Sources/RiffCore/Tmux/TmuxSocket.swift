// Riff
// SPDX-License-Identifier: Apache-2.0

/// Which tmux server is meant: one of the account's own servers by name, or one at a path.
public enum TmuxSocket: Sendable, Hashable {
    /// `tmux -L NAME`: a socket of this name in the account's tmux folder.
    case name(String)
    /// `tmux -S PATH`: a socket at this path.
    case path(String)

    /// The private server named `riff`, so that the person's own tmux is never touched.
    public static let riff = TmuxSocket.name("riff")

    /// The flag and its value.
    package var words: [ShellWord] {
        switch self {
        case .name(let name): ["-L", ShellWord(name)]
        case .path(let path): ["-S", ShellWord(path)]
        }
    }
}
