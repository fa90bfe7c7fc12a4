// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffDeflate
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// What an HTTP peer can make of a byte, before anybody asks what it means: output and work.
    @Suite(.timeLimit(.minutes(5))) struct BodyAmplificationTests {
        @Test(arguments: [
            ("members", "{", #""k":1,"#, #""z":0}"#), ("a name again and again", "{", #""k":{"a":[]},"#, #""z":0}"#),
            ("elements", "[", #"{"a":null},"#, "0]"), ("a text", "\"", "a", "\""),
            ("escapes", "\"", #"\u00e9\n"#, "\""),
            ("halves", "\"", #"\ud83d"#, "\""), ("white space", "[", " \n", "0]"), ("lists in lists", "", "[", ""),
            ("objects in objects", "", #"{"a":"#, ""), ("what is none", "[", "x", "]"),
        ])
        func `JSON costs no more the more of it comes`(name: String, head: String, unit: String, tail: String) {
            let make = { (size: Int) in
                Array((head + String(repeating: unit, count: size / unit.utf8.count) + tail).utf8)
            }
            let factor = Growth.processorFactor(from: 128 << 10, make) { bytes in
                // That it is none, or too deep, is an answer as well.
                _ = try? JSONValue(parsing: bytes)
            }
            #expect(factor <= Growth.most, "\(name)")
        }

        @Test func `an event stream keeps no more than came, and costs no more the more comes`() {
            for unit in ["data: a\n\n", "data:\n", ": a\n", "id: a\n", "event: a\n\n", "\r", "\n", "x", "retry: 1\n"] {
                let make = { (size: Int) in [UInt8](String(repeating: unit, count: size / unit.utf8.count).utf8) }
                let factor = Growth.processorFactor(from: 128 << 10, make) { bytes in
                    var parser = ServerSentEventParser()
                    var outputs: [ServerSentEventParser.Output] = []
                    for start in stride(from: 0, to: bytes.count, by: 4_096) {
                        // It is within the limits.
                        try? parser.feed(bytes[start..<min(start + 4_096, bytes.count)], into: &outputs)
                    }
                    #expect(outputs.count <= bytes.count / 3)
                    #expect(parser.keptCapacity <= 4 * bytes.count + 65_536)
                }
                #expect(factor <= Growth.most, "\(unit)")
            }
        }

        @Test func `what is compressed becomes no more than its limit, however much of it comes`() throws {
            for size in [1 << 20, 2 << 20, 4 << 20] {
                let packed = try Deflate.compress([UInt8](repeating: 0, count: size), as: .gzip)
                let limits = DeflateLimits(outputBytes: 300_000)
                let inflater = try Inflater(.gzip, limits: limits)
                inflater.feed(packed)
                var count = 0
                let error = #expect(throws: DataError.self) {
                    while let bytes = try inflater.next() { count += bytes.count }
                }
                #expect(error?.code == .deflateTooLarge && count <= 300_000 + 65_536)
            }
        }

        @Test func `members of a compressed body cost no more the more there are`() throws {
            let one = try Deflate.compress([UInt8](repeating: 7, count: 3), as: .gzip)
            let make = { (size: Int) in [[UInt8]](repeating: one, count: size / one.count).flatMap(\.self) }
            let factor = try Growth.processorFactor(from: 16 << 10, make) { packed in
                let inflater = try Inflater(.gzip, limits: DeflateLimits())
                inflater.feed(packed)
                var count = 0
                while let bytes = try inflater.next() { count += bytes.count }
                try inflater.finish()
                #expect(count == packed.count / one.count * 3)
            }
            #expect(factor <= Growth.most)
        }

        @Test func `an address to go to next costs no more the longer it is`() {
            let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
            for unit in ["/..", "/a", "/./", "?", "//"] {
                let make = { (size: Int) in String(repeating: unit, count: size / unit.utf8.count) }
                let factor = Growth.processorFactor(from: 20 << 10, make) { location in
                    let head = HTTPResponse(status: .found, headerFields: [.location: location])
                    if let next = request.following(head) {
                        #expect((next.path ?? "").utf8.count <= location.utf8.count + 2)
                    }
                }
                #expect(factor <= Growth.most, "\(unit)")
            }
        }
    }
}
