// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
package import RiffSessions
public import RiffVoice

/// Decides whether words that a person spoke may be typed into what is on the screen: only into a program that is known
/// to wait at a prompt. Anywhere else a letter of them could be a hot key, and Return an answer.
enum SpokenTextGuard {
    /// Throws if the words, or the Return behind them, are to be held back.
    static func allow(_ look: PaneLook?, _ input: SpokenInput) throws {
        guard let look else {
            throw VoiceError(
                .notAtPrompt,
                "Nothing was typed: the screen of this session cannot be looked at, so that nobody knows whether its program "
                    + "waits at a prompt. \(onPurpose)"
            )
        }
        let screen = ScreenLook(look)
        // A script can draw a prompt that looks like a shell's, and a word could be its answer.
        if FrontProgram(look.program) == .shell, !ShellProcess.isAtItsPrompt(look.foreground) {
            let what = input == .words ? "Nothing was typed" : "The words were typed and not submitted"
            let name = look.program.prefix(40)
            throw VoiceError(.notAtPrompt, "\(what): \(name) is not known to wait for a command. \(onPurpose)")
        }
        switch (input, screen.reading) {
        case (_, .atPrompt): return
        case (.words, .question(let seen)):
            let message = "Nothing was typed: a question may be on the screen (\(seen)). Answer it first."
            throw VoiceError(.questionAsked, message)
        case (.words, .unknown(let why)):
            throw VoiceError(.notAtPrompt, "Nothing was typed: \(why) \(onPurpose)")
        // What was typed stands behind a shell's prompt, which is therefore no longer the end of the row.
        case (.submission, .unknown) where screen.isShells: return
        case (.submission, .question(let seen)):
            throw VoiceError(
                .questionAsked,
                "The words stand at the prompt and were not submitted: a question may be on the screen (\(seen)). "
                    + "Answer it first."
            )
        case (.submission, .unknown(let why)):
            throw VoiceError(.notAtPrompt, "The words were typed and not submitted: \(why) Press Return by hand.")
        }
    }

    private static let onPurpose =
        "Type it by hand, or speak through the session's typingAnywhere if words may go into any program."
}

extension ScreenLook {
    package init(_ look: PaneLook) {
        self.init(
            rows: look.rows,
            cursorRow: look.cursorRow,
            cursorColumn: look.cursorColumn,
            isAlternate: look.isAlternate,
            program: look.program
        )
    }

    /// Whether a shell is in front.
    var isShells: Bool { FrontProgram(program) == .shell && !isAlternate }
}

extension VoiceErrorCode {
    /// Words that were spoken were not typed, or not submitted, since the program is not known to wait at a prompt.
    public static let notAtPrompt = VoiceError.Code(rawValue: "notAtPrompt")
    /// Words that were spoken were not typed, or not submitted, since they could answer a question on the screen.
    public static let questionAsked = VoiceError.Code(rawValue: "questionAsked")
}
