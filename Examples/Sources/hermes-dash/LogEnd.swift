// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffHermes
import RiffTransport

/// The end of a log as it is now, once.
struct LogEnd {
    private let file: LogFile
    private let bytes: Int

    init(_ file: LogFile, bytes: Int) {
        self.file = file
        self.bytes = bytes
    }

    func write(_ filter: LogFilter, _ text: PlainText) async throws {
        guard let size = try await file.session.status(of: file.path)?.sizeBytes else {
            throw ExampleFailure("There is no log at \(file.path).")
        }
        var assembler = LogAssembler()
        var offset = size - min(size, UInt64(max(bytes, 0)))
        // The rest of a line that was cut off in front.
        var isWithinLine = offset > 0
        while offset < size {
            let chunk = try await file.session.read(file.path, from: offset, count: 256 * 1024)
            guard !chunk.isEmpty else { break }
            offset += UInt64(chunk.count)
            var whole = chunk[...]
            if isWithinLine {
                guard let end = chunk.firstIndex(of: 0x0A) else { continue }
                whole = chunk[(end + 1)...]
                isWithinLine = false
            }
            show(assembler.push(whole), filter, text)
        }
        show(assembler.finish(), filter, text)
    }

    private func show(_ entries: [LogEntry], _ filter: LogFilter, _ text: PlainText) {
        HermesDash.write(entries.filter(filter.matches).flatMap { text.lines($0) })
    }
}
