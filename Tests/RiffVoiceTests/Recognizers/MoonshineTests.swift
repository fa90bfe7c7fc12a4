// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Against the real engine, where it is installed or named by `RIFF_MOONSHINE`.
    @Suite(.serialized, .enabled(if: MoonshineInstallation.find() != nil), .timeLimit(.minutes(5)))
    struct MoonshineSpeechToTextTests {
        /// One for each test: a model that is still loaded when the process ends is never freed.
        static func makeRecognizer() throws -> MoonshineSpeechToText {
            MoonshineSpeechToText(try #require(MoonshineInstallation.find()))
        }

        @Test(arguments: [
            ("austen_0880", "he was not an ill disposed young man"),
            (
                "LJ050-0131",
                "unless a system is established for the frequent formal review of activities thereunder in this regard"
            ),
        ])
        func `real speech is recognized`(name: String, text: String) async throws {
            let recognizer = try Self.makeRecognizer()
            try await recognizer.prepare()
            let transcript = try await recognizer.transcribe(Speech.file(name))
            // The engine hears "there under" for "thereunder": the spelling, not the words.
            let heard = Self.words(transcript.text).joined(separator: " ").replacing("there under", with: "thereunder")
            #expect(heard == text)
            #expect(transcript.language == "en")
        }

        @Test func `speech beyond the engine's limit is cut between words`() async throws {
            let recognizer = try Self.makeRecognizer()
            let one = try Speech.file("austen_0880").samples()
            let long = AudioClip([[UInt8]](repeating: one, count: 4).flatMap { $0 }, encoding: .pcm(.speech))
            let transcript = try await recognizer.transcribe(long)
            let sentence = "he was not an ill disposed young man"
            #expect(
                Self.words(transcript.text).joined(separator: " ")
                    == Array(repeating: sentence, count: 4).joined(separator: " ")
            )
        }

        @Test func `nothing in, nothing out; cancelled is cancelled; unloaded loads again`() async throws {
            let recognizer = try Self.makeRecognizer()
            #expect(try await recognizer.transcribe(AudioClip([], encoding: .pcm(.speech))).isEmpty)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await recognizer.transcribe(Speech.file("austen_0880"))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            await recognizer.unload()
            #expect(try await !recognizer.transcribe(Speech.file("austen_0880")).isEmpty)
        }

        @Test func `what is prepared is not loaded again, neither by a clip nor by preparing`() async throws {
            let recognizer = try Self.makeRecognizer()
            let (first, second) = (Told(), Told())
            try await recognizer.prepare { first.add($0) }
            #expect(first.all.map(\.step) == [.loading, .warmingUp, .ready])
            #expect(first.all.map(\.fraction) == first.all.map(\.fraction).sorted())
            _ = try await recognizer.transcribe(AudioClip(Speech.silence(.milliseconds(500)), encoding: .pcm(.speech)))
            try await recognizer.prepare { second.add($0) }
            #expect(second.all == [.ready])
            #expect(await recognizer.loads == 1)
        }

        static func words(_ text: String) -> [String] {
            text.lowercased().map { $0.isLetter || $0 == "'" ? $0 : " " }.split(separator: " ").map { String($0) }
        }
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct MoonshineInstallerTests {
        static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first { access($0) }
        static func access(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

        /// A stand-in for `pip download`: puts a package with the right names, and no engine in it, where pip would.
        struct FakePip: Sendable {
            let root: String
            let fileName = "engine-1-py3-none-any.whl"
            static let names = [
                "libonnxruntime.so", "libmoonshine.so", "models/base-en/encoder_model.ort",
                "models/base-en/decoder_model_merged.ort", "models/base-en/tokenizer.bin",
            ]
            let calls = Calls()

            final class Calls: Sendable { let log = Mutex<[[String]]>([]) }

            /// The zip archive with its SHA-256, made by Python as a wheel is.
            func make(leavingOut missing: String? = nil) async throws {
                let package = "\(root)/source/package"
                try FileManager.default.createDirectory(
                    atPath: package + "/models/base-en",
                    withIntermediateDirectories: true
                )
                for name in Self.names where name != missing {
                    try Data("not an engine".utf8).write(to: URL(fileURLWithPath: "\(package)/\(name)"))
                }
                try await run(
                    MoonshineInstallerTests.python ?? "python3",
                    ["-m", "zipfile", "-c", "\(root)/wheel.zip", "\(root)/source/package"]
                )
            }

            /// Runs a program that must succeed; returns what it wrote.
            @discardableResult
            private func run(_ program: String, _ arguments: [String]) async throws -> String {
                let (status, output) = try await SystemProgram.run(program, arguments)
                try #require(status == 0, "\(program) \(arguments): \(output)")
                return output
            }

            func runner(status: Int32 = 0, says text: String = "") -> CommandRunner {
                { arguments in
                    calls.log.withLock { $0.append(arguments) }
                    let folder = arguments.last ?? ""
                    if arguments.contains("download") {
                        guard status == 0 else { return CommandResult(output: Array(text.utf8), exit: .exited(status)) }
                        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                        try FileManager.default.copyItem(atPath: "\(root)/wheel.zip", toPath: "\(folder)/\(fileName)")
                    } else {
                        try await run(arguments[0], Array(arguments.dropFirst()))
                    }
                    return CommandResult(output: [], exit: .exited(0))
                }
            }

            func installer(sha256: String, _ runner: CommandRunner?, searchPath: String? = nil) throws
                -> MoonshineInstaller
            {
                guard let current = MoonshineDistribution.current else { throw CancellationError() }
                let wheel = MoonshineWheel(
                    requirement: "engine==1",
                    platform: "any",
                    fileName: fileName,
                    sha256: sha256,
                    bytes: 1,
                    files: Dictionary(
                        uniqueKeysWithValues: Self.names.map { name in
                            let place = name == "libonnxruntime.so" ? current.runtimeName : name
                            return ("package/\(name)", place)
                        }
                    )
                )
                let distribution = MoonshineDistribution(
                    wheels: [wheel],
                    runtimeName: current.runtimeName,
                    libraryName: current.libraryName
                )
                let python = MoonshineInstallerTests.python.map { ($0 as NSString).deletingLastPathComponent }
                return try MoonshineInstaller(
                    cacheFolder: "\(root)/cache/riff",
                    runner: runner,
                    distribution: distribution,
                    searchPath: searchPath ?? python
                )
            }

            var sha256: String {
                get async throws { String(try await run("sha256sum", ["\(root)/wheel.zip"]).prefix(64)) }
            }

            var leftovers: [String] {
                (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/cache/riff")) ?? []
            }
        }

        static func withFake(_ body: (FakePip) async throws -> Void) async throws {
            let root = FileManager.default.temporaryDirectory.path + "/riff-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: root) }
            try await body(FakePip(root: root))
        }

        #if os(Linux)
        @Test(.enabled(if: python != nil))
        func `it is downloaded, verified, unpacked and moved into place once`() async throws {
            try await Self.withFake { fake in
                try await fake.make()
                let steps = Mutex<[MoonshineInstaller.Step]>([])
                let installer = try await fake.installer(sha256: fake.sha256, fake.runner())
                let installed = try await installer.install { step in steps.withLock { $0.append(step) } }
                #expect(installed.folder == "\(fake.root)/cache/riff/moonshine-0.1.5-base-en")
                #expect(steps.withLock { $0 } == [.downloading(bytes: 1), .verifying, .unpacking, .installed])
                #expect(fake.leftovers == ["moonshine-0.1.5-base-en"])
                #expect(try await installer.install() == installed)
                #expect(fake.calls.log.withLock { $0.count } == 2)
                let mode = try FileManager.default.attributesOfItem(atPath: "\(fake.root)/cache/riff")[
                    .posixPermissions
                ]
                #expect((mode as? NSNumber)?.intValue == 0o700)
                let found = MoonshineInstallation.find(in: ["RIFF_MOONSHINE": installed.folder])
                #expect(found == installed)
                // Files of the right names without an engine in them are a typed error, not a crash.
                let error = await #expect(throws: VoiceError.self) {
                    try await MoonshineSpeechToText(installed).prepare()
                }
                #expect(error?.code == .speechEngineFailed)
            }
        }

        @Test(.enabled(if: python != nil))
        func `nothing of the working folder is run in the place of pip or of Python's own modules`() async throws {
            try await Self.withFake { fake in
                try await fake.make()
                let mark = "\(fake.root)/mark"
                let (hostile, bin) = ("\(fake.root)/hostile", "\(fake.root)/bin")
                for folder in [hostile, bin] {
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                }
                for module in ["pip", "zipfile", "re", "logging", "sitecustomize"] {
                    let text = "open('\(mark)', 'w').close()\n"
                    try text.write(toFile: "\(hostile)/\(module).py", atomically: true, encoding: .utf8)
                }
                // As where somebody works in such a folder, and a variable names it as well. pip asks no index.
                let python = try #require(Self.python)
                let script = """
                    #!/bin/sh
                    cd '\(hostile)' && PYTHONPATH='\(hostile)' PIP_NO_INDEX=1 exec '\(python)' "$@"

                    """
                try await SystemProgram.writeScript(script, to: "\(bin)/python3")
                let error = await #expect(throws: VoiceError.self) {
                    try await fake.installer(sha256: fake.sha256, nil, searchPath: bin).install()
                }
                #expect(error?.code == .speechEngineInstallFailed)
                #expect(!FileManager.default.fileExists(atPath: mark))
                _ = try await fake.installer(sha256: fake.sha256, fake.runner(), searchPath: bin).install()
                #expect(!FileManager.default.fileExists(atPath: mark))
            }
        }

        @Test(.enabled(if: python != nil))
        func `another file than the pinned one is never unpacked`() async throws {
            try await Self.withFake { fake in
                try await fake.make()
                let installer = try fake.installer(sha256: String(repeating: "0", count: 64), fake.runner())
                let error = await #expect(throws: VoiceError.self) { try await installer.install() }
                #expect(error?.code == .speechEngineChecksumMismatch)
                #expect(fake.calls.log.withLock { $0.count } == 1)
                #expect(fake.leftovers.isEmpty)
            }
        }

        @Test(.enabled(if: python != nil))
        func `an incomplete package is refused and leaves nothing`() async throws {
            try await Self.withFake { fake in
                try await fake.make(leavingOut: "models/base-en/tokenizer.bin")
                let installer = try await fake.installer(sha256: fake.sha256, fake.runner())
                let error = await #expect(throws: VoiceError.self) { try await installer.install() }
                #expect(error?.code == .speechEngineMissing)
                #expect(fake.leftovers.isEmpty)
            }
        }

        @Test(.enabled(if: python != nil))
        func `what pip says last is in the error`() async throws {
            try await Self.withFake { fake in
                let installer = try fake.installer(sha256: "", fake.runner(status: 1, says: "one\nERROR: no route\n"))
                let error = await #expect(throws: VoiceError.self) { try await installer.install() }
                #expect(error?.code == .speechEngineInstallFailed)
                #expect(error?.message.contains("ERROR: no route") == true)
                #expect(fake.leftovers.isEmpty)
            }
        }

        @Test func `without Python there is a typed error`() async throws {
            try await Self.withFake { fake in
                let installer = try fake.installer(sha256: "", fake.runner(), searchPath: "\(fake.root)")
                let error = await #expect(throws: VoiceError.self) { try await installer.install() }
                #expect(error?.code == .speechEngineInstallFailed)
                #expect(error?.recovery == .installProgram("python3"))
            }
        }
        #endif

        @Test(arguments: [
            (["XDG_CACHE_HOME": "/c", "HOME": "/h"], "/c/riff"),
            (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/riff"),
        ])
        func `the cache folder follows the XDG specification`(environment: [String: String], folder: String) throws {
            #if os(Linux)
            #expect(try MoonshineInstallation.cacheFolder(in: environment) == folder)
            #endif
            #expect(throws: VoiceError.self) { try MoonshineInstallation.cacheFolder(in: [:]) }
        }
    }
}

struct SpeechSplitterTests {
    @Test func `the cut is in the pause`() {
        var samples = [Float](repeating: 0.3, count: 15 * 100)
        for index in 800..<850 { samples[index] = 0.001 }
        let pieces = SpeechSplitter.pieces(of: samples, sampleRate: 100, longest: 1_000, search: 400)
        #expect(pieces.count == 2)
        #expect((800...850).contains(pieces.first?.upperBound ?? 0))
    }

    @Test(arguments: [0, 1, 999, 1_000, 1_001, 1_099, 1_100, 2_000, 2_001, 12_345])
    func `pieces cover everything, none too long, none too short`(count: Int) {
        let samples = (0..<count).map { Float($0 % 7) / 7 }
        let pieces = SpeechSplitter.pieces(of: samples, sampleRate: 100, longest: 1_000, search: 400)
        #expect(pieces.reduce(0) { $0 + $1.count } == count)
        #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(pieces.allSatisfy { $0.count <= 1_000 })
        if count >= 100 { #expect(pieces.allSatisfy { $0.count >= 100 }) }
    }
}
