// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Synchronization
import Testing

struct CronJobTests {
    @Test func `a real table of jobs is read`() async throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: HomeLab.fixture + "/cron/jobs.json")))
        let host = ScriptedHostSession(files: ["/h/cron/jobs.json": bytes])
        let jobs = try await HermesHome("/h", on: host).cron.read().jobs
        #expect(jobs.map(\.id) == ["e9caf7ca3a83", "9ac39b78feb3", "a024652821c1"])
        #expect(jobs.map(\.name) == ["weekday summary", "build check", "once"])
        #expect(
            jobs.map(\.schedule) == [
                .cron("0 9 * * 1-5"), .interval(minutes: 30), .once(at: "2027-01-05T09:00:00+00:00"),
            ]
        )
        #expect(
            jobs.compactMap(\.schedule?.words) == [
                "Every weekday at 09:00", "Every 30 minutes", "Once, on 2027-01-05 at 09:00",
            ]
        )
        #expect(jobs.map(\.repeatTimes) == [nil, nil, 1])
        // A schedule is written as the agent writes it.
        for job in jobs { #expect(job.schedule?.json == job.json["schedule"]) }
    }

    @Test func `a table that is missing or empty has no jobs, and one that is something else is refused`() async throws
    {
        for text in ["", " \n"] {
            let host = ScriptedHostSession(files: ["/h/cron/jobs.json": Array(text.utf8)])
            #expect(try await HermesHome("/h", on: host).cron.read().jobs == [])
        }
        #expect(try await HermesHome("/h", on: ScriptedHostSession()).cron.read().jobs == [])
        for text in ["{", "3", #"{"jobs": 1}"#, #""jobs""#] {
            let host = ScriptedHostSession(files: ["/h/cron/jobs.json": Array(text.utf8)])
            let error = await dataError { _ = try await HermesHome("/h", on: host).cron.read() }
            #expect(error?.code == .fileMalformed)
        }
    }

    @Test func `what a job says wrongly is nil, and survives`() throws {
        let job = try #require(CronJob(["id": "x", "name": 3, "enabled": "no", "repeat": [], "skill": "old", "zz": 1]))
        #expect(job.name == "x" && job.isEnabled && job.repeatTimes == nil && job.skills == ["old"])
        #expect(job.json["zz"] == 1 && job.json["name"] == 3)
        #expect(CronJob(["name": "no id"]) == nil)
    }
}

extension HomesInTurn {
    @Suite struct CronTableTests {
        @Test(arguments: HomeLab.Way.available)
        func `one field of a real job changes, and every other byte stays`(way: HomeLab.Way) async throws {
            try await HomeLab.with(way) { lab, session in
                let before = String(decoding: try lab.bytes("cron/jobs.json"), as: UTF8.self)
                let modeBefore = try lab.mode("cron/jobs.json")
                let cron = lab.home(on: session).cron
                let snapshot = try await cron.read()
                let after = try await cron.set([["prompt"]: "Check \"it\""], ofJob: "9ac39b78feb3", since: snapshot)
                #expect(after.jobs[1].prompt == #"Check "it""#)
                let text = String(decoding: try lab.bytes("cron/jobs.json"), as: UTF8.self)
                #expect(text == before.replacing(#""Check the build""#, with: #""Check \"it\"""#))
                #expect(try lab.mode("cron/jobs.json") == modeBefore)
                #expect(FileManager.default.fileExists(atPath: lab.path + "/cron/.jobs.lock"))

                try await cron.pause("9ac39b78feb3", at: 1_795_478_400, since: after)
                let paused = String(decoding: try lab.bytes("cron/jobs.json"), as: UTF8.self)
                let expected = try Self.expectation(text)
                #expect(paused == expected)
            }
        }

        /// The second job's fields, changed by hand in the text.
        private static func expectation(_ text: String) throws -> String {
            let range = try #require(text.range(of: "9ac39b78feb3"))
            let end = try #require(text.range(of: "a024652821c1"))
            let job = String(text[range.lowerBound..<end.lowerBound])
                .replacing(#""enabled": true"#, with: #""enabled": false"#)
                .replacing(#""state": "scheduled""#, with: #""state": "paused""#)
                .replacing(#""paused_at": null"#, with: #""paused_at": "2026-11-24T00:00:00+00:00""#)
            return String(text[..<range.lowerBound]) + job + text[end.lowerBound...]
        }

        @Test(arguments: HomeLab.Way.available)
        func `a change of somebody else is detected where it is the same field, and kept where not`(
            way: HomeLab.Way
        ) async throws {
            try await HomeLab.with(way) { lab, session in
                let cron = lab.home(on: session).cron
                let snapshot = try await cron.read()
                let text = String(decoding: try lab.bytes("cron/jobs.json"), as: UTF8.self)
                try lab.write(
                    text.replacing("Summarise the open issues", with: "Theirs").replacing(
                        #""times": 1"#,
                        with: #""times": 2"#
                    ),
                    to: "cron/jobs.json"
                )
                let theirs = try lab.bytes("cron/jobs.json")
                let error = await dataError {
                    try await cron.set([["prompt"]: "Ours"], ofJob: "e9caf7ca3a83", since: snapshot)
                }
                #expect(error?.code == .fileChanged)
                #expect(try lab.bytes("cron/jobs.json") == theirs)
                let now = try await cron.set([["name"]: "Ours"], ofJob: "e9caf7ca3a83", since: snapshot)
                #expect(now.jobs[0].prompt == "Theirs" && now.jobs[0].name == "Ours" && now.jobs[2].repeatTimes == 2)
            }
        }

        @Test func `a job that is gone is told, added jobs and removed ones leave the others`() async throws {
            try await HomeLab.with { lab, session in
                let cron = lab.home(on: session).cron
                let snapshot = try await cron.read()
                let before = try lab.bytes("cron/jobs.json")
                let new: JSONObject = ["id": "0123456789ab", "schedule": CronJob.Schedule.interval(minutes: 5).json]
                #expect(try await cron.add(new).jobs.count == 4)
                #expect(await dataError { try await cron.add(new) }?.code == .fileChanged)
                #expect(try await cron.remove("0123456789ab").jobs.count == 3)
                #expect(try lab.bytes("cron/jobs.json") == before)
                try await cron.remove("a024652821c1")
                let error = await dataError {
                    try await cron.set([["enabled"]: false], ofJob: "a024652821c1", since: snapshot)
                }
                #expect(error?.code == .noSuchJob)
            }
        }

        @Test func `a first job makes the file`() async throws {
            try await HomeLab.with(copying: false) { lab, session in
                try FileManager.default.createDirectory(atPath: lab.path + "/cron", withIntermediateDirectories: true)
                try await lab.home(on: session).cron.add(["id": "a"])
                #expect(String(decoding: try lab.bytes("cron/jobs.json"), as: UTF8.self).contains(#""id": "a""#))
                #expect(try lab.mode("cron/jobs.json") == 0o600)
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `the agent's own lock is honoured`(way: HomeLab.Way) async throws {
            try await HomeLab.with(way) { lab, session in
                let lockPath = lab.path + "/cron/.jobs.lock"
                // As the agent takes it: flock(2) by a process of its own.
                let script =
                    #"import fcntl,sys; f=open(sys.argv[1],"a+"); fcntl.flock(f,fcntl.LOCK_EX); "#
                    + #"print("held",flush=True); sys.stdin.read()"#
                let holder = try await lab.local.openChannel(
                    try ShellQuoting.join(["python3", "-c", script, lockPath])
                )
                var output = holder.output.makeAsyncIterator()
                var said: [UInt8] = []
                while said.count < 5, let bytes = try await output.next() { said += bytes }
                let words = said.isEmpty ? try await holder.diagnostics.collect(upTo: 10_000) : []
                #expect(said == Array("held\n".utf8), "\(String(decoding: words, as: UTF8.self))")

                let impatient = HostLock(lockPath, on: session, wait: .zero)
                #expect(await dataError { try await impatient.whileHeld {} }?.code == .fileLocked)

                let cron = lab.home(on: session).cron
                let snapshot = try await cron.read()
                let before = try lab.bytes("cron/jobs.json")
                let ended = Mutex(false)
                async let change = {
                    let now = try await cron.set([["name"]: "Ours"], ofJob: "e9caf7ca3a83", since: snapshot)
                    ended.withLock { $0 = true }
                    return now
                }()
                // Another one that does not wait so long shows that the change has had its time.
                let other = HostLock(lockPath, on: session, wait: .seconds(2))
                #expect(await dataError { try await other.whileHeld {} }?.code == .fileLocked)
                #expect(!ended.withLock { $0 })
                #expect(try lab.bytes("cron/jobs.json") == before)
                // The agent writes while it holds the lock: ours comes after it, on what it wrote.
                let theirs = String(decoding: before, as: UTF8.self).replacing(
                    "Summarise the open issues",
                    with: "Theirs"
                )
                try lab.write(theirs, to: "cron/jobs.json")
                #expect(String(decoding: try lab.bytes("cron/jobs.json"), as: UTF8.self) == theirs)
                try await holder.finishWriting()
                let now = try await change
                #expect(now.jobs[0].name == "Ours" && now.jobs[0].prompt == "Theirs")
                await holder.close()
            }
        }

        /// A `flock` that knows no `-w`, as those of BusyBox and toybox are.
        private static let plainFlock =
            "#!/bin/sh\ncase \"$1\" in -w|-[a-z]*w*) echo 'usage: flock [-sxun] FD' >&2; exit 1;; esac\n"
            + "exec /usr/bin/flock \"$@\"\n"
        private static let brokenFlock = "#!/bin/sh\necho 'usage: flock FILE COMMAND' >&2\nexit 1\n"

        @Test(
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock")),
            arguments: [(plainFlock, true), (brokenFlock, false)]
        )
        func `a flock with few options takes the lock, and one that cannot is not taken for somebody who holds it`(
            flock: String,
            works: Bool
        ) async throws {
            try await HomeLab.with(copying: false) { lab, session in
                try lab.write(flock, to: "bin/flock")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: lab.path + "/bin/flock")
                for name in ["sh", "cat", "sleep", "date"] {
                    let path = ["/bin/", "/usr/bin/"].map { $0 + name }.first {
                        FileManager.default.isExecutableFile(atPath: $0)
                    }
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(lab.path)/bin/\(name)",
                        withDestinationPath: try #require(path)
                    )
                }
                let host = LocalHostSession(
                    shell: "/bin/sh",
                    homeDirectory: lab.path,
                    environment: ["PATH": lab.path + "/bin"]
                )
                let lock = HostLock(lab.path + "/lock", on: host, wait: .zero)
                guard works else {
                    #expect(await dataError { try await lock.whileHeld {} }?.code == .lockUnavailable)
                    return
                }
                let inner = try await lock.whileHeld { await dataError { try await lock.whileHeld {} }?.code }
                #expect(inner == .fileLocked)
                let patient = HostLock(lab.path + "/lock", on: host, wait: .seconds(30))
                #expect(try await patient.whileHeld { 7 } == 7)
            }
        }

        @Test func `many writers at once lose nothing`() async throws {
            try await HomeLab.with { lab, session in
                let cron = lab.home(on: session).cron
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<8 { group.addTask { try await cron.add(["id": .string("job\(number)")]) } }
                    try await group.waitForAll()
                }
                let jobs = try await cron.read().jobs
                #expect(Set(jobs.map(\.id)).isSuperset(of: (0..<8).map { "job\($0)" }))
                #expect(jobs.count == 11)
            }
        }
    }
}
