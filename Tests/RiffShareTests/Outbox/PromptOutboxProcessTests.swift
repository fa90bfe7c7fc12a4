// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffShare
import Synchronization
import TestSupport
import Testing

extension InTurn {
    /// Several processes with one outbox, and their deaths. The others are this one, started again by Swift Testing;
    /// the folder comes to them in the environment. `RIFF_OUTBOX_TRIALS` sets the number of bursts; 20 by default.
    @Suite(.timeLimit(.minutes(60)))
    struct PromptOutboxProcessTests {
        private static let variable = "RIFF_OUTBOX_FOLDER"
        private static var folder: String { ProcessInfo.processInfo.environment[variable] ?? "" }
        static var trials: Int {
            ProcessInfo.processInfo.environment["RIFF_OUTBOX_TRIALS"].flatMap { Int($0) } ?? 20
        }

        private static func withFolder(_ body: (String) async throws -> Void) async throws {
            try await KeyTool.withFolder { folder in
                setenv(variable, folder, 1)
                defer { unsetenv(variable) }
                try await body(folder)
            }
        }

        /// Adds a line to a file in one write: it survives the process.
        private static func note(_ line: String) {
            let file = open("\(folder)/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let bytes = Array((line + "\n").utf8)
            precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
            close(file)
        }

        private static func log(_ folder: String) -> [[String]] {
            let text = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        }

        /// Bursts of changes; what is about to be done is noted before, and that it is done after it.
        private static func changeUntilKilled() async throws {
            let outbox = PromptOutbox(directory: "\(folder)/outbox")
            let first = log(folder).count { $0[0] == "burst" }
            let last = Int.random(in: 0..<12)
            let delay = DispatchTimeInterval.microseconds(.random(in: 0...20_000))
            func step(_ words: String, _ body: () async throws -> RiffIdentifier?) async throws {
                note("will \(words)")
                let id = try await body()
                note("did \(id.map { "add \($0)" } ?? words)")
            }
            for burst in 0..<100 {
                if burst == last {
                    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { kill(getpid(), SIGKILL) }
                }
                for number in 0..<3 {
                    try await step("add") { try await outbox.add("\(first + burst).\(number)", to: "a").id }
                }
                let ids = try await outbox.refresh().prompts.filter(\.state.isChangeable).map(\.id)
                let (one, two, three) = (ids[0], ids[ids.count - 1], ids[ids.count / 2])
                try await step("edit \(one) edited") {
                    try await outbox.edit(one, text: "edited")
                    return nil
                }
                try await step("move \(two)") {
                    try await outbox.move(two, before: ids[0])
                    return nil
                }
                try await step("cancel \(three)") {
                    try await outbox.cancel(three)
                    return nil
                }
                note("burst")
                if outbox.current.prompts.count > 100 {
                    for prompt in outbox.current.prompts.filter({ $0.state == .cancelled }) {
                        try await step("forget \(prompt.id)") {
                            try await outbox.forget(prompt.id)
                            return nil
                        }
                    }
                }
            }
            kill(getpid(), SIGKILL)
        }

        /// Whether the outbox is as what was done says; what was about to be done may be done or not.
        private static func check(_ log: [[String]], _ state: PromptOutbox.State) {
            #expect(state.problems.isEmpty)
            var alive: [String: PromptState] = [:]
            var edited: Set<String> = []
            var pending: [String]?
            for line in log {
                switch line[0] {
                case "will": pending = Array(line.dropFirst())
                case "did":
                    pending = nil
                    switch line[1] {
                    case "add": alive[line[2]] = .queued
                    case "edit": edited.insert(line[2])
                    case "cancel": alive[line[2]] = .cancelled
                    case "forget": alive[line[2]] = nil
                    default: break
                    }
                default: break
                }
            }
            let found = Dictionary(uniqueKeysWithValues: state.prompts.map { ($0.id.text, $0) })
            for (id, expected) in alive {
                guard let prompt = found[id] else {
                    #expect(pending == ["forget", id], "\(id) is lost")
                    continue
                }
                #expect(prompt.state == expected || pending == ["cancel", id] && prompt.state == .cancelled)
                if edited.contains(id) { #expect(prompt.text == "edited") }
                if prompt.text == "edited" { #expect(edited.contains(id) || pending == ["edit", id, "edited"]) }
            }
            let unknown = found.keys.filter { alive[$0] == nil }
            #expect(unknown.count <= (pending == ["add"] ? 1 : 0), "\(unknown) were never added")
        }

        @Test func `kill -9 in bursts of changes loses nothing that was acknowledged`() async throws {
            try await Self.withFolder { folder in
                var kills = 0
                while Self.log(folder).count(where: { $0[0] == "burst" }) < Self.trials {
                    await #expect(processExitsWith: .signal(SIGKILL)) { try await Self.changeUntilKilled() }
                    kills += 1
                    let outbox = PromptOutbox(directory: "\(folder)/outbox")
                    Self.check(Self.log(folder), try await outbox.refresh())
                    // The next life goes on with what is there, and knows what it was.
                    let known = outbox.current.prompts.map { "did add \($0.id)" }
                    let cancelled = outbox.current.prompts.filter { $0.state == .cancelled }.map {
                        "did cancel \($0.id)"
                    }
                    let edited = outbox.current.prompts.filter { $0.text == "edited" }.map {
                        "did edit \($0.id) edited"
                    }
                    let bursts = Self.log(folder).filter { $0[0] == "burst" }.map { _ in "burst" }
                    let lines = (known + cancelled + edited + bursts).map { $0 + "\n" }.joined()
                    try lines.write(toFile: "\(folder)/log", atomically: false, encoding: .utf8)
                    try #require(kills < 10 * Self.trials)
                }
                print("kill -9: \(kills) kills in \(Self.trials) bursts")
            }
        }

        private static func addFifty() async throws {
            let outbox = PromptOutbox(directory: "\(folder)/outbox")
            for number in 0..<50 { try await outbox.add("\(getpid()) \(number)", to: "a") }
        }

        @Test
        func `an app and its extensions add at once, each in its order, and every file is private at every moment`()
            async throws
        {
            try await Self.withFolder { folder in
                let isOver = Mutex(false)
                let open = Mutex<[String]>([])
                let directory = "\(folder)/outbox"
                let watcher = Thread {
                    while !isOver.withLock({ $0 }) {
                        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
                            var status = stat()
                            guard lstat("\(directory)/\(name)", &status) == 0 else { continue }
                            let isFolder = status.st_mode & S_IFMT == S_IFDIR
                            guard status.st_mode & 0o777 != (isFolder ? 0o700 : 0o600) else { continue }
                            open.withLock { $0.append("\(name) \(status.st_mode)") }
                        }
                    }
                }
                watcher.start()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            await #expect(processExitsWith: .success) { try await Self.addFifty() }
                        }
                    }
                }
                isOver.withLock { $0 = true }
                #expect(open.withLock { $0 } == [])
                let state = try await PromptOutbox(directory: directory).refresh()
                #expect(state.problems.isEmpty && state.prompts.count == 200)
                #expect(Set(state.prompts.map(\.id)).count == 200)
                let words = state.prompts.map { $0.text.split(separator: " ") }
                for process in Set(words.map { $0[0] }) {
                    #expect(words.filter { $0[0] == process }.map { Int($0[1]) } == (0..<50).map { $0 })
                }
            }
        }

        #if os(Linux)
        /// As a full disk: the system takes a part of the file and no more.
        private static func addToFullDisk() async throws {
            let outbox = PromptOutbox(directory: "\(folder)/outbox")
            let first = try await outbox.add("small", to: "a")
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let long = String(repeating: "x", count: 5000)
            do {
                try await outbox.add(long, to: "a")
                preconditionFailure("it was kept")
            } catch let error as CoreError {
                precondition(error.code == .storeFailed)
            }
            do {
                try await outbox.edit(first.id, text: long)
                preconditionFailure("it was changed")
            } catch let error as CoreError {
                precondition(error.code == .storeFailed)
            }
            let texts = try await outbox.refresh().prompts.map(\.text)
            precondition(texts == ["small"])
        }

        @Test func `a disk that takes no more is told, and what was kept stays`() async throws {
            try await Self.withFolder { folder in
                await #expect(processExitsWith: .success) { try await Self.addToFullDisk() }
                let outbox = PromptOutbox(directory: "\(folder)/outbox")
                #expect(try await outbox.refresh().prompts.map(\.text) == ["small"])
                let names = try FileManager.default.contentsOfDirectory(atPath: outbox.directory)
                #expect(!names.contains { $0.hasPrefix(".riff-") }, "half a file was left behind")
            }
        }
        #endif
    }
}
