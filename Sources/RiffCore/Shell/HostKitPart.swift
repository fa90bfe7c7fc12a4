// Riff
// SPDX-License-Identifier: Apache-2.0

/// One file of the kit, the one folder that holds everything of Riff's on a host.
public struct HostKitPart: Sendable, Hashable {
    /// Its name in the kit's manifest.
    public let name: String
    /// The number of its text: a host keeps the higher one of two.
    public let version: Int
    /// The file, below the kit's folder.
    package let file: String
    /// Mode bits, as `chmod` takes them.
    package let mode: String
    private let template: String

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - name: ASCII letters, digits and `-`.
    ///   - version: Raise it with each change of the text.
    ///   - file: Below the kit's folder; ASCII letters, digits, `.`, `-`, `_` and `/`.
    ///   - mode: Mode bits.
    ///   - text: What is in the file, in which ``folderMark`` stands for the kit's folder.
    package init(_ name: String, version: Int, file: String, mode: String = "700", text: String) {
        self.name = name
        self.version = version
        self.file = file
        self.mode = mode
        template = text
    }

    /// A script, which lies in the kit's `bin`.
    package init(_ script: HostScript, named name: String, version: Int) {
        self.init(name, version: version, file: "bin/\(script.name)", text: script.text)
    }

    /// The placeholder for the kit's folder, as a word of `sh` within a text of JSON.
    package static let folderMark = "@RIFF_KIT@"

    /// The file's text in a kit.
    ///
    /// - Parameter folder: The kit's folder.
    /// - Returns: The text.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func text(in folder: String) throws(CoreError) -> String {
        guard template.contains(Self.folderMark) else { return template }
        // JSON escapes what a path may hold; the quotes around it are the template's.
        let quoted = String(decoding: JSONValue.string(try ShellQuoting.quote(folder)).bytes(), as: UTF8.self)
        return template.replacing(Self.folderMark, with: quoted.dropFirst().dropLast())
    }
}

extension HostKitPart {
    /// Starts `claude`, in a worktree if one is asked for.
    package static let claude = HostKitPart(.claude, named: "worktree", version: 1)
    /// Removes a session's worktree.
    package static let worktreeRemove = HostKitPart(.worktreeRemove, named: "worktree-remove", version: 1)
}
