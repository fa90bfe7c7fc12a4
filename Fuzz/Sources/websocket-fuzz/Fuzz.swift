// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTransport

/// What libFuzzer calls with each input: bytes as a peer may write them, through the receiving half of a WebSocket, in
/// one piece and cut, as client and as server, with and without compression; and as an answer to the opening
/// handshake's address.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard bytes.count > 2 else { return 0 }
    // The first byte says how the rest is cut, the second who we are and what was agreed on.
    let chunk = Int(bytes[0]) % 32 + 1
    let role: WebSocketRole = bytes[1] & 1 == 0 ? .client : .server
    var agreement: WebSocketDeflateAgreement?
    if bytes[1] & 2 != 0 {
        var agreed = WebSocketDeflateAgreement()
        agreed.serverNoContextTakeover = bytes[1] & 4 != 0
        agreed.clientNoContextTakeover = bytes[1] & 8 != 0
        agreement = agreed
    }
    let limits = WebSocketRequest.Limits(messageBytes: 10_000, frameBytes: bytes[1] & 16 == 0 ? 10_000 : 100)
    let body = Array(bytes[2...])
    let whole = read(body, body.count, role, limits, agreement)
    let pieces = read(body, chunk, role, limits, agreement)
    precondition(whole.0 == pieces.0 && whole.1 == pieces.1, "What is read depends on how the bytes are cut.")
    for event in whole.0 {
        switch event {
        case .message(let message): precondition(message.byteCount <= 10_000, "A message above its limit.")
        case .ping(let payload), .pong(let payload): precondition(payload.count <= 125, "A long control frame.")
        case .close(let code, _): precondition(code?.isSendable ?? true, "A close code that may not be sent.")
        }
    }
    // A text is never changed: what is read as text is what its bytes say.
    _ = try? WebSocketURL(String(decoding: body, as: UTF8.self))
    return 0
}

private func read(
    _ body: [UInt8],
    _ chunk: Int,
    _ role: WebSocketRole,
    _ limits: WebSocketRequest.Limits,
    _ agreement: WebSocketDeflateAgreement?
) -> ([WebSocketEvent], WebSocketViolation?) {
    var events: [WebSocketEvent] = []
    do {
        var receiver = try WebSocketReceiver(role: role, limits: limits, agreement: agreement)
        for start in stride(from: 0, to: body.count, by: max(chunk, 1)) {
            let part = Array(body[start..<min(start + chunk, body.count)])
            try part.withUnsafeBytes { try receiver.receive($0, into: &events) }
        }
    } catch let violation as WebSocketViolation {
        precondition(violation.code.isSendable, "A violation without a code to close with.")
        return (events, violation)
    } catch {
        preconditionFailure("No receiver: \(error)")
    }
    return (events, nil)
}
