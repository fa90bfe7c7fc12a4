// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// What a front end is shown and asked, row by row, against a real server of another make.
    @Suite(.enabled(if: SSHPeer.isThere, "scripts/fetch-ssh-peer was not run")) struct SSHConversationTests {
        // MARK: Banners

        @Test func `a banner is shown, whole or in many parts, before anything is asked`() async throws {
            let scenarios = """
                {"one": {"banners": ["Welcome.\\nAuthorized use only.\\u001b[2J"], "rounds": [["", "", [["Code: ", true]]]]},
                 "many": {"banners": ["Part 1, ", "part 2, ", "", "part 3"], "rounds": [["", "", [["Code: ", true]]]]},
                 "none": {"rounds": [["", "", [["Code: ", true]]]]}}
                """
            try await SSHPeer.with(scenarios) { peer in
                for (user, shown) in [
                    ("one", ["Welcome.\nAuthorized use only.[2J"]),
                    ("many", ["Part 1, ", "part 2, ", "", "part 3"]), ("none", []),
                ] {
                    let person = TestPerson()
                    let host = try peer.host(user, [.questions], person)
                    #expect(try await host.text(of: "x") == "in\n")
                    #expect(person.seen == shown.map { "shown: \($0)" } + ["asked:  |  | Code: +"])
                    #expect(
                        person.shownWords.allSatisfy {
                            $0.isVerified && $0.user == user && $0.host == host.configuration.pin
                        }
                    )
                }
            }
        }

        @Test func `a page to sign in on gives the person time, and no page does not`() async throws {
            let limit = Duration.seconds(2).patient
            let hold = Double(limit.components.seconds) * 1.5
            let scenarios = """
                {"page": {"banners": ["# To authenticate, visit: https://login.example/a/1b2c\\n"], "hold": \(hold), "open": true},
                 "silent": {"banners": ["Please wait."], "hold": \(hold), "open": true}}
                """
            try await SSHPeer.with(scenarios) { peer in
                let person = TestPerson()
                let host = try peer.host("page", [.key(.makeEd25519())], person) { $0.operationTimeout = limit }
                #expect(try await host.text(of: "x") == "in\n")
                #expect(person.shownWords.map(\.links) == [["https://login.example/a/1b2c"]])

                let other = try peer.host("silent", [.key(.makeEd25519())], TestPerson()) {
                    $0.operationTimeout = limit
                }
                #expect(await transportError { try await other.connect() }?.code == .timeout)

                // With nobody to show it to, waiting is for nothing: the error says what the server said.
                let alone = try peer.host("page", [.key(.makeEd25519())]) { $0.operationTimeout = limit }
                let error = await transportError { try await alone.connect() }
                #expect(error?.code == .timeout)
                #expect(error?.message.contains("https://login.example/a/1b2c") == true)
            }
        }

        @Test func `words with a refusal are shown, also those before them`() async throws {
            let scenarios = """
                {"*": {"introduction": "Hello, I am anybody\\u001b[31m.\\r\\n"},
                 "u": {"password": "right", "banners": ["Sign in: https://login.example/1"], "said": "Access denied by policy."}}
                """
            try await SSHPeer.with(scenarios) { peer in
                let person = TestPerson()
                let wrong = SSHCredential.password(Secret("wrong"))
                let host = try peer.host("u", [wrong], person)
                #expect(await transportError { try await host.connect() }?.code == .notAuthorized)
                try await waitUntil { person.seen.count == 3 }
                let expected = [
                    "shown: Hello, I am anybody[31m.\n", "shown: Sign in: https://login.example/1",
                    "shown: Access denied by policy.",
                ]
                #expect(person.seen == expected)
                // What came in clear is nobody's.
                #expect(person.shownWords.map(\.isVerified) == [false, true, true])
                try await peer.expectIn("u", [.password(Secret("right"))], TestPerson())
            }
        }

        // MARK: Questions

        @Test func `every combination of name, instruction and prompts is shown as it was sent`() async throws {
            var users: [(user: String, seen: [String], answers: [String])] = []
            var scenarios: [String] = []
            for name in ["", "Two factors"] {
                for instruction in ["", "Open the app.\\nThen type."] {
                    for count in 0...4 {
                        let user = "u\(users.count)"
                        let prompts = (0..<count).map { #"["Q\#($0): ", \#($0 % 2 == 1)]"# }.joined(separator: ", ")
                        scenarios.append(#""\#(user)": {"rounds": [["\#(name)", "\#(instruction)", [\#(prompts)]]]}"#)
                        let shown = instruction.isEmpty ? "" : "Open the app.\nThen type."
                        let asked = (0..<count).map { "Q\($0): " + ($0 % 2 == 1 ? "+" : "") }.joined(separator: ", ")
                        let above = [name, shown].filter { !$0.isEmpty }.joined(separator: "\n")
                        let seen: [String]
                        if count == 0 {
                            // Nothing to answer: shown, and answered at once.
                            seen = above.isEmpty ? [] : ["shown: \(above)"]
                        } else {
                            seen = ["asked: \(name) | \(shown) | \(asked)"]
                        }
                        users.append((user, seen, (0..<count).map { "a\($0)" }))
                    }
                }
            }
            try await SSHPeer.with("{\(scenarios.joined(separator: ", "))}") { peer in
                for (index, row) in users.enumerated() {
                    let person = TestPerson { prompts in prompts.indices.map { Secret("a\($0)") } }
                    let host = try peer.host(row.user, [.questions], person)
                    try await host.connect()
                    #expect(person.seen == row.seen, "\(row.user)")
                    try await waitUntil { peer.saw("answers").count == index + 1 }
                    let answers = row.answers.map { "\"\($0)\"" }.joined(separator: ", ")
                    #expect(peer.saw("answers").last == "{\"answers\": [\(answers)]}", "\(row.user)")
                }
            }
        }

        @Test func `rounds follow each other, and a wrong answer is a refusal`() async throws {
            let rounds = """
                [["Duo", "Choose.", [["Passcode or option (1-2): ", true]]], ["", "Pushed a login request.", []],
                 ["", "", [["Code: ", false]]], ["", "Success. Logging you in.", []]]
                """
            let scenarios = """
                {"right": {"rounds": \(rounds), "answers": [["1"], [], ["1"], []]},
                 "wrong": {"rounds": \(rounds), "answers": [["1"], [], ["2"], []]}}
                """
            try await SSHPeer.with(scenarios) { peer in
                let person = TestPerson { _ in [Secret("1")] }
                try await peer.expectIn("right", [.questions], person)
                let expected = [
                    "asked: Duo | Choose. | Passcode or option (1-2): +", "shown: Pushed a login request.",
                    "asked:  |  | Code: ", "shown: Success. Logging you in.",
                ]
                #expect(person.seen == expected)
                let other = try peer.host("wrong", [.questions], TestPerson { _ in [Secret("1")] })
                #expect(await transportError { try await other.connect() }?.code == .notAuthorized)
                // A closure is asked for each round, also for one without a question.
                let asked = Mutex<[String]>([])
                let closure = SSHCredential.keyboardInteractive { prompts in
                    asked.withLock { $0.append("\(prompts.instruction)\(prompts.count)") }
                    return prompts.map { _ in Secret("1") }
                }
                try await peer.expectIn("right", [closure])
                #expect(
                    asked.withLock { $0 } == ["Choose.1", "Pushed a login request.0", "1", "Success. Logging you in.0"]
                )
            }
        }

        @Test func `one hidden prompt takes the password, and what follows goes to the person`() async throws {
            let scenarios = """
                {"plain": {"rounds": [["", "Your password ends in 3 days.", [["Password: ", false]]]], "answers": [["sesame"]]},
                 "code": {"rounds": [["", "", [["Password: ", false]]], ["", "", [["Code: ", false]]]],
                          "answers": [["sesame"], ["123456"]]},
                 "shown": {"rounds": [["", "", [["Password: ", true]]]], "answers": [["sesame"]]},
                 "two": {"rounds": [["", "", [["Password: ", false], ["Code: ", true]]]], "answers": [["typed", "typed"]]}}
                """
            try await SSHPeer.with(scenarios) { peer in
                let sesame = SSHCredential.password(Secret("sesame"))
                try await peer.expectIn("plain", [sesame])
                let reader = TestPerson()
                try await peer.expectIn("plain", [sesame], reader)
                #expect(reader.seen == ["shown: Your password ends in 3 days."])
                let person = TestPerson { _ in [Secret("123456")] }
                try await peer.expectIn("code", [sesame], person)
                #expect(person.seen == ["asked:  |  | Code: "])
                // Nobody to ask: the password is not sent where it was not asked for.
                for user in ["code", "shown", "two"] {
                    let count = peer.saw("sesame").count
                    let error = await transportError { try await peer.host(user, [sesame]).connect() }
                    #expect(error?.code == .notAuthorized, "\(user)")
                    if user != "code" { #expect(peer.saw("sesame").count == count, "\(user)") }
                }
                // The next credential has its turn on the same connection.
                let typed = SSHCredential.keyboardInteractive { $0.map { _ in Secret("typed") } }
                try await peer.expectIn("two", [sesame, typed])
            }
        }

        @Test func `answers that do not fit the questions are told, and not sent`() async throws {
            try await SSHPeer.with(#"{"u": {"rounds": [["", "", [["A: ", true], ["B: ", true]]]]}}"#) { peer in
                let host = try peer.host("u", [.questions], TestPerson { _ in [Secret("only one")] })
                let error = await transportError { try await host.connect() }
                #expect(error?.code == .noUsableCredential)
                #expect(error?.message.contains("2 questions and got 1 answers") == true)
                #expect(peer.saw("answers").isEmpty)
            }
        }

        // MARK: Passwords that expired

        @Test func `a new password is asked for in the server's words, again if it is refused`() async throws {
            let scenarios = """
                {"u": {"password": "old", "expired": "Your password expired.\\nNew one: ", "refused_password": "old"},
                 "v": {"password": "old", "expired": "New one: "}}
                """
            try await SSHPeer.with(scenarios) { peer in
                let attempts = Mutex(0)
                let person = TestPerson { prompts in
                    let count = attempts.withLock {
                        $0 += 1; return $0
                    }
                    return [Secret(count == 1 ? "old" : "new, with \u{FC}")]
                }
                let old = SSHCredential.password(Secret("old"))
                try await peer.expectIn("u", [old], person)
                let expected = [
                    "asked for a new password:  |  | Your password expired.\nNew one: ",
                    "asked for a new password:  |  | Not that one: ",
                ]
                #expect(person.seen == expected)
                #expect(peer.saw("change").count == 2)

                // Nobody to ask, and somebody who declines.
                let alone = await transportError { try await peer.host("v", [old]).connect() }
                #expect(
                    alone?.code == .notAuthorized && alone?.message.contains("expired") == true,
                    "\(alone?.message ?? "")"
                )
                let declining = TestPerson { _ in throw CancellationError() }
                let declined = await transportError { try await peer.host("v", [old], declining).connect() }
                #expect(declined?.code == .noUsableCredential && declined?.cause is CancellationError)
                #expect(peer.saw("change").count == 2)
            }
        }

        // MARK: Several credentials

        @Test func `a key and then a code get in, with one question for the methods`() async throws {
            let scenarios =
                #"{"u": {"key_first": true, "rounds": [["", "Code from your telephone", [["Code: ", true]]]]}}"#
            try await SSHPeer.with(scenarios) { peer in
                let person = TestPerson()
                let key = SSHCredential.key(.makeEd25519())
                try await peer.expectIn("u", [.questions, key], person)
                #expect(person.seen == ["asked:  | Code from your telephone | Code: +"])
                // The key alone was right, and is not called wrong.
                let error = await transportError { try await peer.host("u", [key]).connect() }
                #expect(error?.code == .noUsableCredential)
                #expect(error?.message.contains("accepted what was given") == true)
                #expect(error?.message.contains("keyboard-interactive") == true)
            }
        }
    }
}
