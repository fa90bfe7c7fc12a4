// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import Testing

struct HostKitPlanTests {
    private static let part = HostKitPart("hook", version: 3, file: "bin/hook", text: "text\n")

    private static func status(_ lines: String) throws -> HostKitStatus {
        try #require(HostKitStatus(output: "folder /k\n" + lines))
    }

    @Test(
        arguments: [
            (
                "state absent\nmakes /a\nmakes /a/b",
                [.makeFolder(path: "/a"), .makeFolder(path: "/a/b"), .write(path: "/k/bin/hook", sizeBytes: 5)]
            ),
            ("state installed\npart hook 3 intact 5 bin/hook", []),
            ("state installed\npart hook 3 changed 5 bin/hook", [.replace(path: "/k/bin/hook", from: 3, to: 3)]),
            ("state installed\npart hook 2 intact 5 bin/old", [.replace(path: "/k/bin/hook", from: 2, to: 3)]),
            ("state installed\npart hook 4 missing 5 bin/new", [.keepNewer(path: "/k/bin/new", version: 4)]),
            ("state partial\npart other 1 intact 5 bin/other", [.write(path: "/k/bin/hook", sizeBytes: 5)]),
        ] as [(String, [HostKitPlan.Step])]
    )
    func `a plan says what is written`(lines: String, steps: [HostKitPlan.Step]) throws {
        let plan = try HostKitPlan([Self.part], on: Self.status(lines), host: "box")
        #expect(plan.steps == steps && plan.obstacle == nil && plan.folder == "/k")
    }

    @Test(arguments: [
        ("state newer", "kit.newerKit"), ("state foreign", "kit.foreignFolder"),
        ("state absent\nunwritable /\u{1B}[31mx", "kit.notWritable"),
    ])
    func `what is in the way is told, and nothing is planned`(lines: String, code: String) throws {
        let plan = try HostKitPlan([Self.part], on: Self.status(lines), host: "box")
        #expect(plan.obstacle?.code == code && plan.steps.isEmpty && !plan.changesHost)
        #expect(plan.obstacle?.message.contains("\u{1B}") == false)
    }

    @Test(arguments: [
        "", "state absent", "folder relative\nstate absent", "folder /k", "folder\nstate absent",
    ])
    func `what is no status is none`(output: String) { #expect(HostKitStatus(output: output) == nil) }

    @Test func `lines that say nothing are left out, and their number is bounded`() throws {
        let status = try Self.status(
            "state installed\npart\npart a b intact 1 f\npart a 99999999999999999999 intact 1 f\npart a 1 intact 5 f\nzzz\n"
                + String(repeating: "stranger x\n", count: 100_000)
        )
        #expect(status.parts.map(\.name) == ["a"] && status.strangers.count < 2000)
    }

    @Test func `consent is stored and read again`() throws {
        let consent = try HostKitPlan([Self.part], on: Self.status("state absent"), host: "box").consent()
        let data = try JSONEncoder().encode(consent)
        #expect(try JSONDecoder().decode(HostKitConsent.self, from: data) == consent)
        #expect(consent.folder == "/k" && consent.parts == ["hook"])
    }

    @Test(arguments: ["/h", "/a b", "/it's", #"/back\slash"#, "/dollar$HOME`x`", "/日本", "/q\"uote"])
    func `settings in any folder are JSON, whose command names the hook`(folder: String) throws {
        let text = try HostKitPart.claudeSettings.text(in: folder)
        let settings = try JSONValue(parsing: text)
        let hooks = try #require(settings["hooks"]?.object)
        #expect(hooks.count == 12)
        let quoted = try ShellQuoting.quote(folder)
        for member in hooks {
            let command = member.value.array?.first?["hooks"]?.array?.first?["command"]?.text
            #expect(command == "[ ! -x \(quoted)/bin/riff-hook.sh ] || exec \(quoted)/bin/riff-hook.sh claude")
        }
    }

    /// A text with the line that ends it on the way to the host would be cut there.
    @Test func `each text ends with a line's end and is sent whole`() throws {
        for part in HostKit.standardParts {
            let text = try part.text(in: "/k")
            #expect(text.hasSuffix("\n") && !text.contains("__RIFF_END_OF_PART__"), "\(part.name)")
        }
    }
}
