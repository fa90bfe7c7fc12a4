// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore

/// A change of an agent's state as it is printed.
struct AgentStateLine {
    let json: JSONValue

    init(_ time: Duration, _ report: AgentReport) {
        let evidence = report.evidence.map { piece -> JSONValue in
            .object(
                JSONObject([
                    ("kind", .string(piece.kind.rawValue)),
                    ("says", .string(piece.says)),
                    ("age", .number(Self.seconds(time - piece.at))),
                ])
            )
        }
        json = .object(
            JSONObject([
                ("t", .number(Self.seconds(time))),
                ("state", .string(report.state.name)),
                ("on", report.state.subject.map { .string($0) } ?? .null),
                ("background", .array(report.background.map { .string($0) })),
                ("evidence", .array(evidence)),
            ])
        )
    }

    /// Whether both say the same, at other times and by other evidence.
    func isSame(as other: AgentStateLine) -> Bool {
        ["state", "on", "background"].allSatisfy { json[$0] == other.json[$0] }
    }

    /// Whole milliseconds: more was not recorded.
    private static func seconds(_ duration: Duration) -> Double { (duration / .milliseconds(1)).rounded() / 1000 }
}
