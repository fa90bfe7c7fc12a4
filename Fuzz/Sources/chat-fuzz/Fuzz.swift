// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTransport

/// What libFuzzer calls with each input: bytes as a gateway may write them, as the body of an answer to a chat request.
// libFuzzer brings `main`; this package has none, and so more than one file in each harness.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count > 2 else { return 0 }
    // The first byte says how the rest is cut, the second what kind of answer it is.
    let chunk = Int(bytes[0]) % 32 + 1
    let head = head(bytes[1])
    let cause = bytes[1] & 0x10 == 0 ? nil : TransportError(.connectionLost, "Reset.")
    let limits = ChatReplyReader.Limits(replyBytes: bytes[1] & 0x20 == 0 ? 1 << 20 : 300)
    let body = Array(bytes[2...])
    let whole = Answer(body, body.count, head, cause, limits)
    let pieces = Answer(body, chunk, head, cause, limits)
    precondition(whole == pieces, "What is read depends on how the bytes are cut.")
    whole.check()
    checkContinuation(whole.reply.content, cut: Int(bytes[0]))
    return 0
}

private func head(_ kind: UInt8) -> HTTPResponse {
    var head = HTTPResponse(status: kind & 0x0C == 0x0C ? .badGateway : .ok)
    switch kind & 3 {
    case 0: head.headerFields[.contentType] = "text/event-stream"
    case 1: head.headerFields[.contentType] = "application/json"
    case 2: head.headerFields[.contentType] = "text/html"
    default: break
    }
    return head
}

/// What does as it was asked is joined exactly.
private func checkContinuation(_ text: String, cut: Int) {
    let scalars = Array(text.unicodeScalars)
    let place = scalars.count * cut / 255
    let first = String(String.UnicodeScalarView(scalars[..<place]))
    let rest = String(String.UnicodeScalarView(scalars[place...]))
    var continuation = ChatContinuation(of: first)
    var joined = first
    for piece in (continuation.anchor + rest).unicodeScalars { joined += continuation.append(String(piece)) }
    joined += continuation.finish()
    precondition(Array(joined.unicodeScalars) == scalars, "The seam loses or repeats something.")
}
