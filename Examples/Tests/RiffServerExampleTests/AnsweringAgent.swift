// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore

/// An agent behind a folder, which repeats what it is told; it says nothing to what begins with "silence".
enum AnsweringAgent {
    /// A folder with an agent, for the time of `body`, which is given the folder and what to start the server with.
    static func with(_ body: (String, [String]) async throws -> Void) async throws {
        let folder = "/tmp/rs-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
        let agent = Task { try await Self.answer(in: "\(folder)/bridge") }
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await body(folder, ["--bridge", "\(folder)/bridge", "--records", "\(folder)/records"])
            )
        } catch { result = .failure(error) }
        agent.cancel()
        if case .failure(let error) = await agent.result, !(error is CancellationError) { throw error }
        try result.get()
    }

    /// Answers what is put into a folder, until its task is cancelled.
    private static func answer(in folder: String) async throws {
        let files = FileManager.default
        while true {
            // Not there before the first event.
            let names = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where name.hasSuffix(".event.json") {
                let reply = "\(folder)/\(name.dropLast(".event.json".count)).reply.json"
                guard !files.fileExists(atPath: reply) else { continue }
                // An event may be taken back at any moment.
                guard let bytes = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")) else { continue }
                let text = try JSONValue(parsing: Array(bytes))["text"] ?? .null
                if text.text?.hasPrefix("silence") == true { continue }
                try Data(JSONValue.object(["reply": text]).bytes()).write(to: URL(filePath: reply), options: .atomic)
            }
            try await ContinuousClock().sleep(for: .milliseconds(20))
        }
    }
}
