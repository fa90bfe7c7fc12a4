// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffCore

/// Typing a text to look for, walking through what was found, choosing a link.
extension TermState {
    mutating func typing(_ key: TerminalKey, _ text: String) -> Effect? {
        switch key {
        case .character(TypedKeys.lineBreak): break
        // Nobody looks for more, and a long paste would be copied for each of its characters.
        case .character(let character): if text.utf8.count < 1000 { become(.typing(text + String(character))) }
        case .backspace where !text.isEmpty: become(.typing(String(text.dropLast())))
        case .enter where !text.isEmpty:
            become(.searching(text))
            return .search(text)
        case .enter, .escape, .backspace: leave()
        default: break
        }
        return nil
    }

    mutating func walk(_ key: TerminalKey, _ text: String, _ place: Int, _ count: Int) -> Effect? {
        switch key {
        case .up, .character("n"): become(.found(text, place: (place + count - 1) % count, count: count))
        case .down, .character("N"): become(.found(text, place: (place + 1) % count, count: count))
        case .character("/"): become(.typing(""))
        case .character("l"): return .findLinks
        case .character("p"): return .takePicture
        case .enter, .escape, .character("q"): leave()
        default: break
        }
        return nil
    }

    mutating func choose(_ key: TerminalKey, _ links: [String], _ chosen: Int) -> Effect? {
        switch key {
        case .up, .left, .character("k"): become(.links(links, chosen: (chosen + links.count - 1) % links.count))
        case .down, .right, .tab, .character("j"): become(.links(links, chosen: (chosen + 1) % links.count))
        case .enter:
            leave()
            return .copy(links[chosen])
        case .character("o"):
            leave()
            return .open(links[chosen])
        case .escape, .character("q"): leave()
        default: break
        }
        return nil
    }
}
