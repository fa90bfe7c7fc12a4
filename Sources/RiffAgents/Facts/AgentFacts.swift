// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

// sample: bytes: [UInt8]
/// The words of one kind of agent that change with its versions: its status values, hooks, records, calls and what its
/// screen says.
///
/// Each agent that this package knows has facts built in. A front end replaces them with a newer file, without a build:
///
/// ```swift
/// let facts = try AgentFacts(parsing: bytes)
/// ```
///
/// A word that the facts do not have is never guessed: what depends on it becomes unknown.
public struct AgentFacts: Sendable, Hashable {
    /// The format that this version reads.
    public static let format = 1

    /// The kind of agent.
    public let agent: AgentKind
    /// The version of the agent in which these facts were seen.
    public let seenVersion: String
    /// The names of the agent's program, without a folder.
    public let programs: [String]
    /// The words of its status file.
    package let status: [ByteName: StatusWord]
    /// The words of the status file for the thing that it waits for.
    package let waitingFor: [ByteName: WaitWord]
    /// The `app` of its reports of the Program Status Protocol.
    package let programStatusApp: String
    /// The states of those reports.
    package let programStatus: [ByteName: StatusWord]
    /// Its hooks.
    package let hooks: [ByteName: HookWord]
    /// The types of its records that say where a turn is.
    package let records: [ByteName: RecordWord]
    /// The states of a thread in its remote procedure calls.
    package let threads: [ByteName: StatusWord]
    /// The calls by which it asks, and the tool that each is about.
    package let requests: [ByteName: String]
    /// Names of tools in hooks, and how a question about one is called.
    package let tools: [ByteName: ToolWord]
    /// The element in which it puts a long paste in its hooks and records; empty if it does not.
    package let promptWrapper: String
    /// The words of its screen.
    package let screen: ScreenFacts
    /// The words of its command line.
    package let launch: LaunchFacts
    /// Its files.
    package let places: PlaceFacts

    /// A state in an agent's own word.
    package enum StatusWord: String, Sendable, Hashable { case idle, working, waiting, done, failed, shell, gone }
    /// A reason to wait.
    package enum WaitWord: String, Sendable, Hashable { case question, dialog }
    /// The meaning of a hook.
    package enum HookWord: String, Sendable, Hashable {
        case began, prompt, working, call, result, question, done, failed, interrupted, ended, notice
        case childBegan, childEnded
    }
    /// The meaning of a type of record.
    package enum RecordWord: String, Sendable, Hashable {
        case began, working, done, interrupted, prompt, answer
    }
    /// The meaning of a tool's name.
    package struct ToolWord: Sendable, Hashable {
        /// The name of a question about it.
        package let name: String
        /// The kind of that question.
        package let kind: AgentQuestion.Kind
        /// The members of its input that say what it is about; the first that is there counts.
        package let subjects: [String]
    }
}

/// The kind of a coding agent, such as Claude Code; others can be named.
public struct AgentKind: RawRepresentable, Sendable, Hashable {
    /// Its name, lower case.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Claude Code.
    public static let claude = AgentKind(rawValue: "claude")
    /// Codex CLI.
    public static let codex = AgentKind(rawValue: "codex")
    /// An agent that speaks the Agent Client Protocol, and has no terminal.
    public static let acp = AgentKind(rawValue: "acp")
    /// An agent of which only bytes, screen and process are known. It is never called ready.
    public static let generic = AgentKind(rawValue: "generic")
}
