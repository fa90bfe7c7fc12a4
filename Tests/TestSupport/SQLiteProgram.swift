// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
internal import RiffTesting

/// The `sqlite3` program, which knows nothing of Riff.
package enum SQLiteProgram {
    /// Whether it is here.
    package static let isInstalled = SystemProgram.path("sqlite3") != nil

    /// Runs statements that may write anything, into a database's own list of tables too.
    package static func tamper(_ path: String, _ statements: String) async throws {
        let (status, output) = try await SystemProgram.run(
            "sqlite3",
            ["-batch", "-bail", path, ".dbconfig defensive off", statements]
        )
        guard status == 0 else { throw TestingError(.programFailed, "sqlite3 ended with \(status): \(output)") }
    }
}
