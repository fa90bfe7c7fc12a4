// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore

/// libFuzzer's own entry (FuzzerInterface of LLVM), so that the program may keep a `main` of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = runFuzzer(&count, &arguments) { fuzz($0, $1) }
    }
}

/// What libFuzzer calls with each input: bytes as an agent may write them, through everything that reads them.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
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

/// Reads a message's parameters or result into the types that the method may mean, and writes them again.
private func read(_ json: JSONValue, _ transcript: inout ACPTranscript) {
    if let update = json["params"]?["update"], let update = try? ACP.SessionUpdate(json: update) {
        transcript.apply(update)
        check(update)
    }
    for part in [json["params"], json["result"], json].compactMap(\.self) {
        check(as: ACP.SessionNotification.self, part)
        check(as: ACP.RequestPermissionRequest.self, part)
        check(as: ACP.InitializeResponse.self, part)
        check(as: ACP.NewSessionResponse.self, part)
        check(as: ACP.PromptResponse.self, part)
        check(as: ACP.CreateElicitationRequest.self, part)
        check(as: ACP.CreateTerminalRequest.self, part)
        check(as: ACP.ListSessionsResponse.self, part)
    }
}

private func check<Value: JSONConvertible>(as type: Value.Type, _ json: JSONValue) {
    // What does not read is the peer's mistake.
    if let value = try? Value(json: json) { check(value) }
}

private func check<Value: JSONConvertible>(_ value: Value) {
    precondition((try? Value(json: value.json)) == value, "What is written reads differently.")
}
