// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffDeflate
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// Python's modules gzip and zlib on the other side.
    @Suite(.enabled(if: SystemProgram.path("python3") != nil, "needs python3"), .timeLimit(.minutes(2)))
    struct DeflatePeerTests {
        private static let inputs = [
            [], DeflateTests.text, DeflateTests.noise(100_000), [UInt8](repeating: 0, count: 300_000),
        ]

        private static let opener = """
            import sys, zlib, gzip
            kind, source, target = sys.argv[1:4]
            data = open(source, 'rb').read()
            if kind == 'gzip': out = gzip.decompress(data)
            else: out = zlib.decompress(data, -15 if kind == 'raw' else 15)
            open(target, 'wb').write(out)
            """
        private static let packer = """
            import sys, zlib, gzip
            kind, source, target = sys.argv[1:4]
            data = open(source, 'rb').read()
            half = len(data) // 2
            if kind == 'gzip': out = gzip.compress(data[:half], 9) + gzip.compress(data[half:], 1)
            else:
                packer = zlib.compressobj(9, zlib.DEFLATED, -9 if kind == 'raw' else 9)
                out = packer.compress(data[:half]) + packer.flush(zlib.Z_SYNC_FLUSH) + packer.compress(data[half:]) + packer.flush()
            open(target, 'wb').write(out)
            """

        @Test(arguments: DeflateTests.formats)
        func `it reads ours`(format: Deflate.Format) async throws {
            for (number, bytes) in Self.inputs.enumerated() {
                for level in [0, 1, 9] {
                    let packed = try Deflate.compress(bytes, as: format, level: level)
                    let output = try await Self.python(Self.opener, "\(format)", packed)
                    #expect(output == bytes, "input \(number) at level \(level)")
                }
            }
        }

        @Test(arguments: DeflateTests.formats)
        func `we read its`(format: Deflate.Format) async throws {
            for (number, bytes) in Self.inputs.enumerated() {
                let packed = try await Self.python(Self.packer, "\(format)", bytes)
                #expect(try Deflate.decompress(packed, as: format) == bytes, "input \(number)")
            }
        }

        private static func python(_ script: String, _ kind: String, _ input: [UInt8]) async throws -> [UInt8] {
            let folder = FileManager.default.temporaryDirectory.appending(path: "riff-deflate-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }  // Cleanup; what was in it is read.
            let (source, target) = (folder.appending(path: "in"), folder.appending(path: "out"))
            try Data(input).write(to: source)
            let (status, output) = try await SystemProgram.run(
                "python3",
                ["-c", script, kind, source.path, target.path]
            )
            try #require(status == 0, "\(output)")
            return Array(try Data(contentsOf: target))
        }
    }
}
