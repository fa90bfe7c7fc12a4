// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension TerminalTransportConformance {
    /// Keys reach the program, and what it draws comes back.
    public func echoesBothWays() async throws {
        try await check(.echo) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            for text in ["hello", "Grüße, 世界", "\r"] {
                try await terminal.write(Array(text.utf8))
                let echo = try await reader.read(count: text.utf8.count)
                try expect(echo == Array(text.utf8), "wrote \(text.utf8.count) bytes and read other ones: \(echo)")
            }
        }
    }

    /// Each of the 256 byte values passes both ways.
    public func passesEveryByte() async throws {
        try await check(.echo) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            let bytes = (0...255).map { UInt8($0) }
            try await terminal.write(bytes)
            let echo = try await reader.read(count: 256)
            try expect(echo == bytes, "bytes were changed on their way: \(zip(bytes, echo).filter { $0.0 != $0.1 })")
        }
    }

    /// 10 MiB come whole and in order, and the end after them.
    public func losesNoOutput() async throws {
        try await check(.flood) { terminal, reader in
            try FloodRecords.check(await reader.rest())
            let closure = await terminal.closure()
            try expect(closure.reason == .exited, "the end is \(closure.reason.rawValue), not exited")
        }
    }

    /// A 1 MiB paste into a program that is slow to read arrives whole.
    public func carriesALargePaste() async throws {
        try await check(.checksum) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            let paste = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            for start in stride(from: 0, to: paste.count, by: 16 * 1024) {
                try await terminal.write(Array(paste[start..<start + 16 * 1024]))
            }
            let told = String(decoding: await reader.rest(), as: UTF8.self)
            let sum = posixChecksum(paste)
            try expect(
                told.hasPrefix("\(sum) \(paste.count)"),
                "cksum of the paste is \(sum), of what arrived: \(told)"
            )
        }
    }

    /// While the output is not read, the program can write no more than a bound; and nothing of it is lost.
    public func makesTheProgramWait() async throws {
        let path = "/tmp/riff-meter-\(UInt32.random(in: .min ... .max))"
        try await check(.metered(path)) { terminal, reader in
            let meter = try await make(.meter(path))
            var blocks: Int?
            do {
                try await meter.connect(size: .standard)
                var meterReader = TerminalReader(meter.output)
                _ = try await meterReader.read(through: "<")
                let number = try await meterReader.read(through: ">").dropLast()
                blocks = Int(String(decoding: number, as: UTF8.self))
            } catch {
                await meter.disconnect()
                throw error
            }
            await meter.disconnect()
            guard let blocks else { throw Violation(message: "the meter told no number") }
            try expect(
                blocks * 4096 <= outputBoundBytes,
                "with nobody reading, the program wrote \(blocks * 4096) bytes; the bound is \(outputBoundBytes)"
            )
            let output = await reader.rest()
            try expect(output.count == 4096 * 4096, "of 16 MiB came \(output.count) bytes")
        }
    }
}

/// CRC-32 as POSIX `cksum` has it (IEEE Std 1003.1, cksum): most significant bit first, the length appended.
func posixChecksum(_ bytes: [UInt8]) -> UInt32 {
    let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in
            value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7
        }
    }
    var sum: UInt32 = 0
    func add(_ byte: UInt8) { sum = sum << 8 ^ table[Int(sum >> 24) ^ Int(byte)] }
    for byte in bytes { add(byte) }
    var length = bytes.count
    while length > 0 {
        add(UInt8(truncatingIfNeeded: length))
        length >>= 8
    }
    return ~sum
}
