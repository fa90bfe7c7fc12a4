// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state of one coding agent, as far as it is proved.
///
/// A state is told only when the evidence that it needs agrees. Everything else is ``unknown(_:)``, which says why.
/// Work that an agent does in the background is no state: see ``AgentReport/background``.
public enum AgentState: Sendable, Hashable {
    /// The process runs, and has not said anything about itself yet. What is typed may be lost.
    case starting
    /// A dialog or menu of the agent's own is open, for example `trust` or `modelPicker`. What is typed acts on it.
    case dialog(String)
    /// It waits for a first prompt, and its composer takes one.
    case ready
    /// A turn runs.
    case working
    /// A turn stands still until somebody answers. The question is `nil` if only its existence is known.
    case waiting(AgentQuestion?)
    /// A turn ended, and the composer takes the next prompt.
    case done
    /// A person ended the last turn before it was over.
    case interrupted
    /// The last turn ended with an error; the reason is the agent's own words on one line.
    case failed(String)
    /// The process is over.
    case exited(AgentExit)
    /// No state is proved; the reason is a short sentence for a person.
    case unknown(String)

    /// The state's name in one word, such as `working`.
    public var name: String {
        switch self {
        case .starting: "starting"
        case .dialog: "dialog"
        case .ready: "ready"
        case .working: "working"
        case .waiting: "waiting"
        case .done: "done"
        case .interrupted: "interrupted"
        case .failed: "failed"
        case .exited: "exited"
        case .unknown: "unknown"
        }
    }

    /// The subject of the state on one line: the question, the dialog, the error, the exit or the reason; `nil` if the
    /// state has none.
    public var subject: String? {
        switch self {
        case .starting, .ready, .working, .done, .interrupted: nil
        case .waiting(let question): question?.summary
        case .dialog(let text), .failed(let text), .unknown(let text): text
        case .exited(let exit): exit.description
        }
    }
}

/// The end of an agent's process.
public enum AgentExit: Sendable, Hashable, CustomStringConvertible {
    /// It exited by itself.
    case status(Int)
    /// A signal ended it.
    case signal(Int)
    /// It is gone, and how is not known.
    case unknown

    /// The end in words, such as `status 0`.
    public var description: String {
        switch self {
        case .status(let status): "status \(status)"
        case .signal(let signal): "signal \(signal)"
        case .unknown: "gone"
        }
    }
}
