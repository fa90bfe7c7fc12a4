// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExampleTerminal
import Foundation
import RiffCore
import RiffHermes

/// A Hermes home in the terminal: what the agent did, and what it is doing.
@main
struct HermesDash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hermes-dash",
        abstract: "A dashboard of a Hermes home, here or on a host.",
        discussion: """
            hermes-dash                                            the home of this account, in the whole terminal
            hermes-dash --on me@mac.tailnet.ts.net                 the one of an account on a host
            hermes-dash --on me@mac search deploy script | head    one answer, for people and scripts

            Nothing is ever written into the home.
            """,
        subcommands: [Show.self, Sessions.self, Search.self, Insights.self, Log.self],
        defaultSubcommand: Show.self
    )

    /// Writes lines of an answer.
    static func write(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        // Tabs are the program's own.
        Printing.write(HarmlessText(lines.joined(separator: "\n")) + "\n")
    }

    /// A database for one answer.
    static func withDatabase(_ options: DashOptions, _ body: (HermesDatabase) async throws -> Void) async throws {
        try await DashHost.with(options) { host in
            let database = try await host.database()
            let result: Result<Void, any Error>
            do { result = .success(try await body(database)) } catch { result = .failure(error) }
            await database.close()
            try result.get()
        }
    }
}

extension HermesDash {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The dashboard, in the whole terminal.")

        @OptionGroup var options: DashOptions

        @MainActor
        func run() async throws {
            guard PersonsTerminal.isThere else {
                throw ExampleFailure("The dashboard needs a terminal; sessions, search, insights and log do not.")
            }
            let status = try await DashHost.with(options) { host in
                let terminal = try PersonsTerminal(isOnOtherScreen: true)
                let status = await DashRoom(host, on: terminal, page: .overview).run()
                terminal.restore()
                return status
            }
            if status != 0 { throw ExitCode(128 + status) }
        }
    }

    struct Sessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The sessions, newest first.",
            discussion:
                "A line each, between tabs: id, begin, source, kind, model, messages, tool calls, tokens, cost in US "
                + "dollars, heading."
        )

        @OptionGroup var options: DashOptions
        @Option(help: "How many at most.") var limit = 100
        @Flag(help: "Subagents and archived ones, too.") var all = false

        func run() async throws {
            try await HermesDash.withDatabase(options) { database in
                let text = PlainText(timeZone: personsTimeZone())
                var (left, cursor) = (max(limit, 0), HermesCursor?.none)
                while left > 0 {
                    let filter = all ? .everything : HermesSession.Filter()
                    let page = try await database.sessions(filter, after: cursor, limit: min(left, 500))
                    HermesDash.write(page.elements.map { text.line($0) })
                    left -= page.elements.count
                    guard let next = page.next else { return }
                    cursor = next
                }
            }
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Messages that have some words, newest first.",
            discussion:
                "A line each, between tabs: session, message, time, role, the words around what was found. The status "
                + "is 1 where nothing was found."
        )

        @OptionGroup var options: DashOptions
        @Option(help: "How many at most.") var limit = 50
        @Flag(help: "Best first.") var best = false
        @Flag(help: "Parts of words, too.") var parts = false
        @Option(help: "In this session only.") var session: String?
        @Argument(help: "The words, all of which a message must have.") var words: [String]

        func run() async throws {
            var count = 0
            try await HermesDash.withDatabase(options) { database in
                var search = HermesSearch(words.joined(separator: " "), order: best ? .best : .newest)
                search.matchesSubstrings = parts
                search.sessionID = session
                let text = PlainText(timeZone: personsTimeZone())
                var cursor: HermesCursor?
                while count < limit {
                    let found = try await database.search(search, after: cursor, limit: min(limit - count, 500))
                    HermesDash.write(found.page.elements.map { text.line($0) })
                    count += found.page.elements.count
                    guard let next = found.page.next else { return }
                    cursor = next
                }
            }
            if count == 0 { throw ExitCode(1) }
        }
    }

    struct Insights: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What the sessions of the last days come to, with bars."
        )

        @OptionGroup var options: DashOptions
        @Option(help: "How many days, today among them; 0 for all.") var days = 30

        func validate() throws {
            if days < 0 { throw ValidationError("--days is 0 or more.") }
        }

        func run() async throws {
            try await HermesDash.withDatabase(options) { database in
                let zone = personsTimeZone()
                let span: HermesReport.Span = days == 0 ? .all : .days(days)
                let report = try await HermesReport(of: database, HermesReport.Question(span, timeZone: zone))
                HermesDash.write(Array(InsightsText(report, timeZone: zone, width: 40).lines.dropFirst()))
            }
        }
    }

    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "The newest entries of a log, and those that come.")

        @OptionGroup var options: DashOptions
        @Option(help: "Which log: agent, errors, gateway.") var name = "agent"
        @Option(help: "How many bytes of its end are read.") var bytes = 64 * 1024
        @Option(help: "The least grave level: debug, info, warning, error, critical.") var level: String?
        @Option(help: "Entries with this text only.") var search = ""
        @Flag(help: "Go on as the log grows, until you end it.") var follow = false

        func validate() throws {
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }), !name.isEmpty else {
                throw ValidationError("\(name) is no log's name.")
            }
            let levels = LogEntry.Level.known.map { $0.rawValue.lowercased() }
            if let level, !levels.contains(level.lowercased()) {
                throw ValidationError("--level is one of \(levels.joined(separator: ", ")).")
            }
        }

        func run() async throws {
            try await DashHost.with(options) { host in
                let file = host.home.log(HermesHome.Log(rawValue: name))
                let filter = LogFilter(
                    minimumLevel: level.map { LogEntry.Level(rawValue: $0.uppercased()) },
                    search: search
                )
                let text = PlainText(timeZone: personsTimeZone())
                guard follow else {
                    guard let entries = try await file.entries(inLast: bytes, matching: filter) else {
                        throw ExampleFailure("There is no log at \(file.path).")
                    }
                    return HermesDash.write(entries.flatMap { text.lines($0) })
                }
                for try await batch in file.tail(from: .last(bytes: max(bytes, 0)), matching: filter) {
                    if batch.followsGap {
                        Printing.write("hermes-dash: some of the log was gone before it could be read.\n", to: .errors)
                    }
                    HermesDash.write(batch.entries.flatMap { text.lines($0) })
                }
            }
        }
    }
}
