// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport

/// An event stream read all at once, as slowly and plainly as the specification says it: decode, split, line by line.
struct OrdinaryReading {
    var outputs: [ServerSentEventParser.Output] = []
    var lastEventID = "seed"

    private var id = "seed"
    private var type = ""
    private var data: [String] = []

    init(_ body: [UInt8]) {
        var scalars = Array(String(decoding: body, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var line = ""
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            guard scalar == "\r" || scalar == "\n" else {
                line.unicodeScalars.append(scalar)
                continue
            }
            if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
            take(Array(line.unicodeScalars))
            line = ""
        }
    }

    private mutating func take(_ line: [Unicode.Scalar]) {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: ":") ?? line.count
        var value = line[min(colon + 1, line.count)...]
        if colon > 0, value.first == " " { value = value.dropFirst() }
        switch Self.text(line[..<colon]) {
        case "" where colon == 0: outputs.append(.comment(Self.text(value)))
        case "data": data.append(Self.text(value))
        case "event": type = Self.text(value)
        case "id": if !value.contains("\u{0}") { id = Self.text(value) }
        case "retry":
            guard !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) else { return }
            // As many digits as there may be, and at most the largest number.
            outputs.append(.retry(.milliseconds(Int64(Self.text(value)) ?? .max)))
        default: break
        }
    }

    private mutating func dispatch() {
        lastEventID = id
        if !data.isEmpty {
            let event = ServerSentEvent(
                type: type.isEmpty ? "message" : type,
                data: data.joined(separator: "\n"),
                lastEventID: id
            )
            outputs.append(.event(event))
        }
        type = ""
        data = []
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
