// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffGateway

/// Where a conversation is kept, so that it can be gone on with after the program ended in the middle of an answer.
struct ThreadFile {
    let path: String

    /// What was kept; `nil` where there is no such file.
    ///
    /// - Throws: ``ExampleFailure`` where it holds something else; what kept it from being read.
    func read() throws -> (session: String, thread: ChatThread)? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let json = try JSONValue(parsing: [UInt8](try Data(contentsOf: URL(filePath: path))))
        guard let session = json["session"]?.text, let thread = json["thread"].flatMap(ChatThread.init(json:)) else {
            throw ExampleFailure("\(path) is no conversation of riff-chat's.")
        }
        return (session, thread)
    }

    func write(_ thread: ChatThread, session: GatewaySession) throws {
        let json: JSONValue = ["session": .string(session.key.text), "thread": thread.json]
        // Beside it first, so that there is always a whole one; what was said belongs to the person alone.
        let new = path + ".new"
        guard
            FileManager.default.createFile(
                atPath: new,
                contents: Data(json.bytes()),
                attributes: [.posixPermissions: 0o600]
            ), rename(new, path) == 0
        else { throw ExampleFailure("The conversation cannot be kept in \(path).") }
    }
}
