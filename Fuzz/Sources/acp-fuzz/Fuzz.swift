// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore

/// What libFuzzer calls with each input: bytes as an agent may write them, through everything that reads them.
// libFuzzer brings `main`; this package has none, and so more than one file in each harness.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // The first byte says how the rest is cut.
    let chunk = Int(bytes.first ?? 0) % 64 + 1
    let rest = Array(bytes.dropFirst())
    var framer = LineFramer(limit: 4096)
    var whole = LineFramer(limit: 4096)
    var frames: [ACPFrame] = []
    for start in stride(from: 0, to: rest.count, by: chunk) {
        frames += framer.push(Array(rest[start..<min(start + chunk, rest.count)]))
    }
    precondition(frames == whole.push(rest), "Lines depend on how the bytes are cut.")
    var transcript = ACPTranscript()
    for case .line(let line) in frames {
        // What is no JSON is refused; everything else must come through.
        guard let json = try? JSONValue(parsing: line) else { continue }
        let written = json.bytes()
        precondition(!written.contains(0x0A), "A line break in what is written.")
        precondition((try? JSONValue(parsing: written)) == json, "What is written reads differently.")
        read(json, &transcript)
    }
    return 0
}
