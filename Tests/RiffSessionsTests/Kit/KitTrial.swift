// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

/// The kit's life in one home: planned, refused, installed, used, brought up to date, and removed to the byte.
struct KitTrial {
    let home: KitHome
    let path: String
    let out: String
    let host: any HostSession
    /// Whether this process sees the home as the account does.
    var sees = true

    func run() async throws {
        let kit = HostKit(on: host)
        let before = try await snapshot()
        if let leftover = home.leftover { try await KitHome.run(leftover, path, out) }
        let broken = try await snapshot()
        let plan = try await kit.plan()

        // Nothing is written without consent, nor by looking.
        let some = HostKit(on: host, parts: [.hook])
        let less = try await some.plan().consent()
        let missing = await #expect(throws: KitError.self) { _ = try await kit.install(less) }
        #expect(missing?.code == .consentMissing)
        try await expectSame(broken)

        if let refusal = home.refusal {
            // A disk shows that it is full when it is written only.
            if home.mount != .full { #expect(plan.obstacle?.code == "kit.\(refusal.rawValue)") }
            let error = await #expect(throws: KitError.self) { _ = try await kit.install(plan.consent()) }
            #expect(error?.code == refusal, "\(String(describing: error))")
            return try await expectSame(before)
        }
        #expect(plan.obstacle == nil && plan.changesHost)

        let installed = try await kit.install(plan.consent())
        #expect(installed.state == .installed && installed.folder == plan.folder && installed.strangers.isEmpty)
        #expect(installed.parts.map(\.name).sorted() == HostKit.standardParts.map(\.name).sorted())
        #expect(installed.parts.filter { !$0.isIntact }.isEmpty)
        let made = try await snapshot()
        #expect(try await kit.install(plan.consent()) == installed)
        try await expectSame(made)
        let again = try await kit.plan()
        #expect(!again.changesHost)
        try expectUntouched(since: before, made)

        try await noteEvents(installed)
        try await changeVersions(installed, consent: plan.consent())
        #expect(try await kit.remove() == [])
        #expect(try await kit.status().state == .absent)
        #expect(try await kit.remove() == [])
        let after = try await snapshot()
        #expect(after.differences(from: before) == home.keeps)
    }

    /// An event is noted, and agents whose hook is gone do not notice.
    private func noteEvents(_ status: HostKitStatus) async throws {
        #expect(status.claudeArguments.count == 2 && status.claudeArguments.first == "--settings")
        let path = try #require(status.claudeArguments.last)
        let settings = try JSONValue(parsing: try await host.read(path, from: 0, count: 1 << 20))
        let command = try #require(settings["hooks"]?["Stop"]?.array?.first?["hooks"]?.array?.first?["command"]?.text)
        let line = try ShellQuoting.join(["sh", "-c", command])
        let event = #"{"session_id":"s-1","hook_event_name":"Stop","cwd":"/x"}"#
        let result = try await host.run(line, input: Array(event.utf8), outputLimit: 4096, timeout: .seconds(30))
        #expect(
            result.exit == .exited(0) && result.output.isEmpty == (home.shell != "fish"),
            "\(result.diagnosticText)"
        )
        let notes = try await host.read("\(status.folder)/run/hooks/s-1.jsonl", from: 0, count: 4096)
        let note = try JSONValue(parsing: notes)
        #expect(note["agent"]?.text == "claude" && note["payload"]?["hook_event_name"]?.text == "Stop")
    }

    /// A newer version replaces an older one and is not replaced by it; a file that was changed is mended.
    private func changeVersions(_ status: HostKitStatus, consent: HostKitConsent) async throws {
        let current = HostKitPart.hook.version
        let newer = HostKitPart("hook", version: current + 1, file: "bin/riff-hook-2.sh", text: "#!/bin/sh\nexit 0\n")
        let ahead = HostKit(on: host, parts: [newer])
        #expect(
            try await ahead.plan().steps
                == [.replace(path: "\(status.folder)/bin/riff-hook-2.sh", from: current, to: current + 1)]
        )
        let after = try await ahead.install(consent)
        #expect(
            after.parts.first { $0.name == "hook" }?.version == current + 1 && after.parts.count == status.parts.count
        )
        #expect(try await host.status(of: "\(status.folder)/bin/riff-hook.sh") == nil)
        let older = HostKit(on: host)
        let kept = HostKitPlan.Step.keepNewer(path: "\(status.folder)/bin/riff-hook-2.sh", version: current + 1)
        #expect(try await older.plan().steps == [kept])
        #expect(try await older.install(consent) == after)

        try await host.write(Array("broken".utf8), to: "\(status.folder)/bin/riff-tap.sh", permissions: nil)
        #expect(
            try await older.plan().steps.contains(.replace(path: "\(status.folder)/bin/riff-tap.sh", from: 2, to: 2))
        )
        #expect(try await older.install(consent).parts.allSatisfy(\.isIntact))
    }

    private func snapshot() async throws -> HomeSnapshot {
        guard !sees else { return try HomeSnapshot((path as NSString).deletingLastPathComponent) }
        let line = "sh -c 'cd && find . -exec ls -ldn {} + && find . -type f -exec cksum {} +'"
        return HomeSnapshot(lines: try await host.run(line).text)
    }

    private func expectSame(_ other: HomeSnapshot) async throws {
        #expect(try await snapshot().differences(from: other) == [])
    }

    /// Whatever was there is as it was.
    private func expectUntouched(since before: HomeSnapshot, _ now: HomeSnapshot) throws {
        #expect(before.entries.filter { now.entries[$0.key] != $0.value }.isEmpty)
    }
}
