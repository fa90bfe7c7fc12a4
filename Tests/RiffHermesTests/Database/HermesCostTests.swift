// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import TestSupport
import Testing

extension HermesInTurn {
    @Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(5)))
    struct HermesCostTests {
        @Test func `what is best known of each session is summed, and 0 from the provider is unknown`() async throws {
            try await HermesLab.with { lab in
                let path = try await lab.made(
                    "m.db",
                    """
                    INSERT INTO sessions (id, source, model, started_at, estimated_cost_usd, actual_cost_usd) VALUES
                    ('a', 'cli', 'm', 1000, 1.0, NULL), ('b', 'cli', 'm', 2000, 2.0, 1.5), ('c', 'web', 'm', 3000, 4.0, 0);
                    INSERT INTO session_model_usage
                    (session_id, model, billing_provider, task, api_call_count, estimated_cost_usd, actual_cost_usd) VALUES
                    ('a', 'm', 'p', '', 1, 1.0, 0), ('b', 'm', 'p', '', 1, 2.0, 1.5);
                    """
                )
                let database = try await HermesDatabase.open(path)
                let insights = try await database.insights(in: HermesInsights.Period())
                #expect(insights.totals.cost.best == 6.5)
                #expect(insights.totals.cost.estimated == 7 && insights.totals.cost.actual == 1.5)
                #expect(insights.usage.first?.cost.best == 2.5)
                let session = try #require(try await database.session("c"))
                #expect(session.cost.best == 4 && session.cost.actual == nil)
                let usage = try await database.usage(of: "a")
                #expect(usage.first?.cost.best == 1)
                await database.close()
            }
        }
    }
}
