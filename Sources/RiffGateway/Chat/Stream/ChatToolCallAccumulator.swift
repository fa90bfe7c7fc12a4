// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Puts tool calls together from their pieces, which gateways tell apart in different ways.
///
/// A piece belongs to the call at its index, unless it brings another ID: then it begins a new one. Without an index, a
/// new ID begins a call, and a piece without one belongs to the call that was spoken of last.
///
/// Where nobody gives IDs and all calls have one index, or none, a piece with a name begins a new call if the one
/// before has its arguments already, or stands in the same list.
struct ChatToolCallAccumulator: Sendable {
    private struct Call {
        var index: Int?
        var id = ""
        var name = ""
        var arguments = JoinedText()
        /// Whether the arguments have come to their end.
        var end = ObjectEnd()
    }

    /// The calls that were named in the list of pieces that is being read.
    private var namedInList: Set<Int> = []

    private var calls: [Call] = []
    /// The call that an index means.
    private var places: [Int: Int] = [:]
    /// The call that an ID means.
    private var named: [String: Int] = [:]
    private var last: Int?

    var count: Int { calls.count }

    /// Says that a new list of pieces begins.
    mutating func beginList() { if !namedInList.isEmpty { namedInList = [] } }

    /// Adds a piece.
    ///
    /// - Returns: What is new; `nil` where nothing is.
    mutating func append(_ piece: ChatToolCallPiece) -> ChatToolCall.Delta? {
        guard !piece.isEmpty else { return nil }
        let count = calls.count
        let place = place(of: piece)
        last = place
        if !piece.name.isEmpty { namedInList.insert(place) }
        var delta = ChatToolCall.Delta(place: place)
        if calls[place].id.isEmpty, !piece.id.isEmpty {
            calls[place].id = piece.id
            named[piece.id] = place
            delta.id = piece.id
        }
        // Some repeat the name with each piece.
        if piece.name != calls[place].name {
            calls[place].name += piece.name
            delta.name = piece.name
        }
        delta.arguments = calls[place].arguments.append(piece.arguments)
        calls[place].end.append(delta.arguments)
        let isNew = calls.count > count || delta.id != nil || !delta.name.isEmpty || !delta.arguments.isEmpty
        return isNew ? delta : nil
    }

    /// Says that nothing more comes.
    ///
    /// - Returns: What is new.
    mutating func finish() -> [ChatToolCall.Delta] {
        calls.indices.compactMap { place in
            let rest = calls[place].arguments.finish()
            return rest.isEmpty ? nil : ChatToolCall.Delta(place: place, arguments: rest)
        }
    }

    /// The calls as far as they came, none of them complete.
    var partial: [ChatToolCall] {
        calls.map { ChatToolCall(id: $0.id, name: $0.name, arguments: $0.arguments.text, isComplete: false) }
    }

    private mutating func place(of piece: ChatToolCallPiece) -> Int {
        if let known = named[piece.id], piece.index == nil || piece.index == calls[known].index { return known }
        if let index = piece.index {
            if let place = places[index], piece.id.isEmpty || calls[place].id.isEmpty, !isNext(piece, after: place) {
                return place
            }
            places[index] = calls.count
        } else if piece.id.isEmpty, let last, !isNext(piece, after: last) {
            return last
        }
        calls.append(Call(index: piece.index))
        return calls.count - 1
    }

    /// Whether a piece that looks like more of a call begins another one. The older form knows one call alone.
    private func isNext(_ piece: ChatToolCallPiece, after place: Int) -> Bool {
        guard piece.id.isEmpty, calls[place].id.isEmpty, !piece.name.isEmpty, !piece.isFunctionCall else {
            return false
        }
        // A name that is only said again adds nothing.
        guard piece.name != calls[place].name || !piece.arguments.isEmpty else { return namedInList.contains(place) }
        if namedInList.contains(place) { return true }
        // Arguments that go on under the same name, and a name that comes in pieces, are one calls[place].
        return piece.name == calls[place].name ? calls[place].end.isClosed : !calls[place].arguments.isEmpty
    }
}
