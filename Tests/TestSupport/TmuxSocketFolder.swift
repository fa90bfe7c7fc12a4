// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffTesting

/// A folder for a private tmux socket; the server on it ends with the test.
package enum TmuxSocketFolder {
    package static func with(_ body: (String) async throws -> Void) async throws {
        let folder = "/tmp/riff-tmux-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let result: Result<Void, any Error>
        do { result = .success(try await body("\(folder)/s")) } catch { result = .failure(error) }
        await Task {
            // It may never have started.
            _ = try? await SystemProgram.run("tmux", ["-S", "\(folder)/s", "kill-server"])
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }
}
