// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TerminalOutputTests {
    private static let limit = 1_000

    private static func reading(_ output: TerminalOutput) -> Task<[UInt8], Never> {
        var reader = output.makeAsyncIterator()
        return Task {
            var bytes: [UInt8] = []
            while let chunk = await reader.next() { bytes += chunk }
            return bytes
        }
    }

    /// Lets tasks come to where they wait.
    private static func rounds() async { for _ in 1...200 { await Task.yield() } }

    @Test func `every reader gets every byte, in order, beyond what is buffered`() async throws {
        let (output, writer) = TerminalOutput.makeOutput(bufferedBytes: Self.limit)
        let readers = (1...5).map { _ in Self.reading(output) }
        let written = (0..<100).map { UInt8($0) }
        for byte in written { try await writer.write([UInt8](repeating: byte, count: 99)) }
        writer.finish()
        let expected = written.flatMap { [UInt8](repeating: $0, count: 99) }
        for reader in readers { #expect(await reader.value == expected) }
    }

    @Test func `the first reader gets what came before it, a later one what comes from then on`() async throws {
        let (output, writer) = TerminalOutput.makeOutput()
        try await writer.write([1])
        var first = output.makeAsyncIterator()
        #expect(await first.next() == [1])
        var second = output.makeAsyncIterator()
        try await writer.write([2])
        #expect(await first.next() == [2])
        #expect(await second.next() == [2])
        writer.finish()
        #expect(await second.next() == nil)
        #expect(await first.next() == nil)
    }

    @Test func `a reader that stops holds up the others until it is gone`() async throws {
        let (output, writer) = TerminalOutput.makeOutput(bufferedBytes: Self.limit)
        var idle: TerminalOutput.Iterator? = output.makeAsyncIterator()
        #expect(idle != nil)
        var reader = output.makeAsyncIterator()
        try await writer.write([UInt8](repeating: 1, count: Self.limit))
        #expect(await reader.next()?.count == Self.limit)
        // Its backlog is full now: what comes next waits in the pipe, and then for its writer.
        try await writer.write([UInt8](repeating: 2, count: Self.limit))
        let rest = Task {
            var reader = reader
            return await reader.next()
        }
        await Self.rounds()
        idle = nil
        #expect(await rest.value == [UInt8](repeating: 2, count: Self.limit))
    }

    @Test func `who waits while another takes is given what was taken`() async throws {
        let (output, writer) = TerminalOutput.makeOutput()
        let readers = (1...3).map { _ in Self.reading(output) }
        await Self.rounds()
        // One of them takes, whichever it is; it is cancelled as well as the others may be.
        readers[0].cancel()
        #expect(await readers[0].value == [])
        try await writer.write([7])
        writer.finish()
        #expect(await readers[1].value == [7])
        #expect(await readers[2].value == [7])
    }

    @Test func `a second reader of a byte stream is refused, and does not harm the first`() async throws {
        let (stream, writer) = ByteStream.makeStream()
        let first = Task {
            var reader = stream.makeAsyncIterator()
            return try await reader.next()
        }
        await Self.rounds()
        let refused = await #expect(throws: CoreError.self) {
            var reader = stream.makeAsyncIterator()
            _ = try await reader.next()
        }
        #expect(refused?.code == .hasReader)
        try await writer.write([1])
        #expect(try await first.value == [1])
    }

    @Test func `whoever follows a cancelled reader at once is not refused`() async throws {
        for _ in 1...200 {
            let (stream, writer) = ByteStream.makeStream()
            let cancelled = Task {
                var reader = stream.makeAsyncIterator()
                return try await reader.next()
            }
            await Task.yield()
            cancelled.cancel()
            let next = Task {
                var reader = stream.makeAsyncIterator()
                return try await reader.next()
            }
            try await writer.write([1])
            writer.finish()
            // The cancelled one may have been first, and has taken it then.
            let taken = [try? await cancelled.value, try await next.value]
            #expect(taken.compactMap(\.self) == [[1]])
        }
    }
}
