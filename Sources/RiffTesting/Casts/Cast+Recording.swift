// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffScreen

extension Cast {
    /// Creates a cast from the entries of a ``RecordingTerminal``.
    ///
    /// A character whose bytes came in two pieces is told when it is whole; bytes that are no UTF-8 are told as U+FFFD,
    /// since a cast holds text.
    ///
    /// - Parameters:
    ///   - recording: What happened.
    ///   - header: What is told of it; its size is the first that was recorded, where there is one.
    public init(_ recording: [RecordingTerminal.Entry], header: CastHeader = CastHeader(size: .standard)) {
        self.init(header: header, events: [])
        var (output, input) = (SplitText(), SplitText())
        var isFirstSize = true
        var end = Duration.zero
        for entry in recording {
            end = entry.time
            switch entry.event {
            case .resized(let size) where isFirstSize && events.isEmpty:
                self.header.size = size
                isFirstSize = false
            case .resized(let size): events.append(CastEvent(time: entry.time, resizedTo: size))
            case .drew(let bytes): append(.output, output.take(bytes), at: entry.time)
            case .wrote(let bytes): append(.input, input.take(bytes), at: entry.time)
            }
        }
        append(.output, output.rest(), at: end)
        append(.input, input.rest(), at: end)
    }

    private mutating func append(_ code: CastEvent.Code, _ text: String, at time: Duration) {
        if !text.isEmpty { events.append(CastEvent(time: time, code, text)) }
    }
}

/// UTF-8 that comes in pieces which may cut a character in two.
private struct SplitText {
    private var held: [UInt8] = []

    mutating func take(_ bytes: [UInt8]) -> String {
        let all = held + bytes
        let end = Self.end(of: all)
        held = Array(all[end...])
        return String(decoding: all[..<end], as: UTF8.self)
    }

    mutating func rest() -> String {
        defer { held = [] }
        return String(decoding: held, as: UTF8.self)
    }

    /// Returns the index at which the last character begins, if more bytes are to come for it; else the end.
    private static func end(of bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? bytes.count - back : bytes.count
        }
        return bytes.count
    }
}
