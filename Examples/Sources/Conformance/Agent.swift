// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffAgents
import RiffCore
import RiffTesting

extension Conformance {
    /// The state of a coding agent in a recorded scene.
    struct Agent: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "agent",
            abstract: "Reads the recording of a coding agent, and prints its state, one line a change."
        )

        @Argument(help: "The folder of the scene.") var folder: String
        @Option(help: "A facts file to use instead of the facts that are built in.") var facts: String?

        func run() throws {
            let scene = try AgentScene(folder: folder)
            let facts = try facts.map { path in
                try AgentFacts(parsing: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
            }
            var lines: [UInt8] = []
            var last: AgentStateLine?
            scene.judge(facts: facts) { time, report in
                let line = AgentStateLine(time, report)
                if let last, line.isSame(as: last) { return }
                lines += line.json.bytes() + Array("\n".utf8)
                last = line
            }
            try FileHandle.standardOutput.write(contentsOf: Data(lines))
        }
    }
}
