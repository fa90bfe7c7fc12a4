// Riff
// SPDX-License-Identifier: Apache-2.0

package import ExampleTerminal
package import RiffMarkdown

/// The new part of a conversation, and the part that may still change: pictures in, text for a terminal out. Each
/// piece of an answer is read once, however long the answer gets.
package struct ChatView {
    private var printed: Set<Int> = []
    /// The answer that is growing.
    private var answer: (id: Int, stream: MarkdownStream)?
    private var picture = ChatPicture()
    private let ansi: MarkdownANSI

    /// A view; `ansi` says what the terminal can do.
    package init(_ ansi: MarkdownANSI = MarkdownANSI()) { self.ansi = ansi }

    /// Takes the conversation as it is now.
    ///
    /// - Returns: What is complete and was not before. Where a definition changes a block that is complete, the
    ///   terminal has scrolled it away: it stays as it was.
    package mutating func take(_ picture: ChatPicture) -> HarmlessText {
        self.picture = picture
        var text: HarmlessText = ""
        for item in picture.items where !printed.contains(item.id) {
            if item.kind == .answer { text += read(item) }
            guard !item.isOpen else { continue }
            printed.insert(item.id)
            switch item.kind {
            case .question: text += "\u{1B}[1m> \(lines: item.more)\u{1B}[0m\n\n"
            case .note: text += "\u{1B}[2m\(lines: item.more)\u{1B}[0m\n"
            case .answer: break
            }
        }
        return text
    }

    /// What may still change: the end of the answer, and what is being done.
    package var live: HarmlessText {
        var text: HarmlessText = ""
        if picture.isAnswering {
            if let answer { text += HarmlessText(drawn: ansi.text(of: answer.stream.tail().root)) }
        } else if var stream = answer?.stream {
            // Perhaps all of it: what more text could change is shown as it would be without.
            text += stream.finish().committed.map { HarmlessText(drawn: ansi.text(of: $0)) }.joined()
        }
        for item in picture.items.suffix(64) where item.kind == .note && item.isOpen {
            text += "\u{1B}[2m\(lines: item.more) …\u{1B}[0m\n"
        }
        return text
    }

    /// Reads what an answer has more than before.
    private mutating func read(_ item: ChatPicture.Item) -> HarmlessText {
        // Another answer, or the same one from its beginning: it was asked for once more.
        if item.startsOver || answer?.id != item.id { answer = (item.id, MarkdownStream()) }
        // What references spell out in it is for the renderer to leave out.
        var blocks = answer?.stream.append(bytes: HarmlessText(item.more).text.utf8).committed ?? []
        if !item.isOpen {
            blocks += answer?.stream.finish().committed ?? []
            answer = nil
        }
        return blocks.map { HarmlessText(drawn: ansi.text(of: $0)) }.joined()
    }
}
