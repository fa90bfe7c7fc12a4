// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHub

/// What libFuzzer calls with each input: lines, each of which a hub says over its WebSocket. None may trap, and what is
/// shown of them has a bound.
// libFuzzer brings `main`; this package has none.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    // One that cannot be read is ignored by a client, as here.
    let readable = lines.filter { (try? HubSnapshot(after: [$0])) != nil }
    guard let all = try? HubSnapshot(after: readable) else {
        preconditionFailure("What is read alone is not read with others.")
    }
    check(all)
    guard let session = all.cards.lazy.compactMap(\.session).first else { return 0 }
    guard let open = try? HubSnapshot(after: readable, open: session) else {
        preconditionFailure("What is read once is not read twice.")
    }
    check(open)
    precondition(open.isRefused || open.open?.id == session, "A session of a card does not open.")
    return 0
}

private func check(_ snapshot: HubSnapshot) {
    precondition(snapshot.cards.count <= 7 + 2_048 + 64, "There are too many cards.")
    precondition(Set(snapshot.cards.map(\.id)).count == snapshot.cards.count, "Two cards are the same.")
    precondition(snapshot.unknownMessages.count <= 8, "Too much is kept of what is not known.")
    precondition(snapshot.open?.chat.count ?? 0 <= 50, "A chat shows more than it should.")
}
