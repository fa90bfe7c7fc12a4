// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport

/// What libFuzzer calls with each input: bytes as a server may write them, through the parser of event streams, and
/// what it gives against the specification read line by line.
// libFuzzer brings `main`; this package has none, and so more than one file in each harness.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count > 2 else { return 0 }
    // The first byte says how the rest is cut, the second how large it may become.
    let chunk = Int(bytes[0]) % 32 + 1
    let limits = ServerSentEventParser.Limits(lineBytes: 16 + Int(bytes[1]), eventBytes: 16 + Int(bytes[1]) * 2)
    let body = Array(bytes[2...])
    check(body, chunk, ServerSentEventParser.Limits())
    check(body, chunk, limits)
    let (outputs, lastEventID, _) = read(body, body.count, ServerSentEventParser.Limits())
    let expected = OrdinaryReading(body)
    precondition(outputs == expected.outputs, "It reads something else than is written.")
    precondition(lastEventID == expected.lastEventID, "Another ID is left.")
    return 0
}

private func read(
    _ body: [UInt8],
    _ chunk: Int,
    _ limits: ServerSentEventParser.Limits
) -> ([ServerSentEventParser.Output], String, TransportError.Code?) {
    var parser = ServerSentEventParser(lastEventID: "seed", limits: limits)
    var outputs: [ServerSentEventParser.Output] = []
    var code: TransportError.Code?
    for start in stride(from: 0, to: body.count, by: chunk) {
        do throws(TransportError) {
            try parser.feed(body[start..<min(start + chunk, body.count)], into: &outputs)
        } catch { code = error.code }
    }
    return (outputs, parser.lastEventID, code)
}

private func check(_ body: [UInt8], _ chunk: Int, _ limits: ServerSentEventParser.Limits) {
    let whole = read(body, body.count, limits)
    let pieces = read(body, chunk, limits)
    precondition(whole == pieces, "What is read depends on how the bytes are cut.")
}
