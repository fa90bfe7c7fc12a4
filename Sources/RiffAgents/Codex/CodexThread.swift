// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A conversation that Codex's server has loaded.
public struct CodexThread: Sendable, Hashable {
    /// A choice among the conversations that the server has.
    public enum Choice: Sendable, Hashable {
        /// The one with this id, as a rollout's name and a start with `resume` tell it.
        case id(String)
        /// The only one that a person began in this folder, an absolute path. If there are several, none is chosen.
        case folder(String)
    }

    /// The conversation's id.
    public let id: String
    /// The folder that it works in.
    public let folder: String
    /// Its first prompt on one line, cut if it is long; empty before it.
    public let preview: String

    /// Reads a thread that a person began; `nil` for the threads in which Codex makes titles, for those of its helpers,
    /// and for what is no thread.
    package init?(_ thread: JSONValue?) {
        guard let thread, let id = CodexName.read(thread["id"]), let folder = thread["cwd"]?.text,
            thread["ephemeral"]?.bool == false, thread["threadSource"]?.text ?? "user" == "user",
            thread["parentThreadId"]?.text == nil
        else { return nil }
        self.id = id
        self.folder = folder
        preview = InertText.quote(thread["preview"]?.text ?? "", limitBytes: 120)
    }
}
