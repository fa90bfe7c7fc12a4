// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import Synchronization

/// Writes what passes a channel to a file: `{"t": seconds, "dir": "c2a" or "a2c", "msg": ...}`, one a line.
final class Recorder: Sendable {
    private let file: FileHandle
    private let turn = Mutex<(any Error)?>(nil)
    private let begun = ContinuousClock().now

    init(path: String) throws {
        // What was said belongs to the person alone.
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        self.file = file
    }

    /// Writes a line down. One that cannot be written, as on a full disk, ends the recording and not the conversation.
    func write(_ direction: ACPClient.WireDirection, _ line: ArraySlice<UInt8>) {
        let seconds = begun.duration(to: .now) / .seconds(1)
        // What is no JSON is kept as text.
        let message = (try? JSONValue(parsing: line)) ?? .string(String(decoding: line, as: UTF8.self))
        let name: JSONValue = direction == .received ? "a2c" : "c2a"
        let entry: JSONValue = ["t": .number(seconds), "dir": name, "msg": message]
        let bytes = entry.bytes() + [0x0A]
        turn.withLock { failure in
            guard failure == nil else { return }
            do { try file.write(contentsOf: Data(bytes)) } catch { failure = error }
        }
    }

    /// Closes the file.
    ///
    /// - Throws: What kept a line from being written.
    func close() throws {
        try file.close()
        if let failure = turn.withLock(\.self) { throw failure }
    }
}
