// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

struct BytePipeTests {
    /// Takes everything, at most `limit` bytes at a time.
    private func drain(_ pipe: BytePipe, upTo limit: Int) -> [UInt8] {
        var all: [UInt8] = []
        while case .bytes(let bytes) = pipe.take(upTo: limit) {
            #expect(!bytes.isEmpty && bytes.count <= limit)
            all += bytes
        }
        return all
    }

    @Test(arguments: [1, 3, 7, 10, 64])
    func `chunks of any size come whole and in order, in pieces of any size`(limit: Int) {
        let pipe = BytePipe()
        let chunks = [10, 1, 0, 25, 3, 64].map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 + count) } }
        for chunk in chunks { pipe.offer(chunk) }
        #expect(pipe.heldBytes == 103)
        #expect(drain(pipe, upTo: limit) == chunks.flatMap(\.self))
        #expect(pipe.heldBytes == 0 && !pipe.holdsBytes)
    }

    @Test func `what is dropped behind a piece that was taken is counted once`() {
        let pipe = BytePipe(highWater: 10)
        pipe.offer([1, 2, 3, 4, 5, 6])
        guard case .bytes(let first) = pipe.take(upTo: 2) else { return #expect(Bool(false), "nothing was taken") }
        #expect(first == [1, 2])
        pipe.offerDroppingOldest([7, 8, 9, 10, 11, 12, 13])
        #expect(pipe.heldBytes == 7)
        #expect(drain(pipe, upTo: 64) == [7, 8, 9, 10, 11, 12, 13])
    }

    @Test func `what is put back comes first, also before the rest of a piece and after the end`() async throws {
        let pipe = BytePipe()
        pipe.offer([1, 2, 3, 4, 5])
        guard case .bytes(let head) = pipe.take(upTo: 3) else {
            Issue.record("nothing was taken")
            return
        }
        #expect(head == [1, 2, 3])
        pipe.putBack([3])
        #expect(pipe.heldBytes == 3)
        #expect(try await pipe.next() == [3, 4, 5])
        pipe.finish()
        #expect(try await pipe.next() == nil)
        pipe.putBack([9])
        pipe.putBack([])
        #expect(try await pipe.next() == [9])
        #expect(try await pipe.next() == nil)
    }

    @Test func `bytes for a pipe that has ended are refused with its failure`() async throws {
        let pipe = BytePipe()
        pipe.finish(throwing: TransportError(.connectionLost, "It was lost."))
        await #expect {
            try await pipe.send([1])
        } throws: { ($0 as? TransportError)?.code == .connectionLost }
        let closed = BytePipe()
        closed.finish()
        await #expect {
            try await closed.send([1])
        } throws: { ($0 as? TransportError)?.code == .closed }
        #expect(!closed.offerIfOpen([1]))
    }
}
