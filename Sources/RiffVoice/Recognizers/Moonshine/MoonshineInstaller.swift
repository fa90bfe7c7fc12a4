// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
public import RiffCore
internal import RiffTransport

/// Downloads the Moonshine engine with Python's `pip` into the cache folder, once.
///
/// The versions and the SHA-256 of its packages are pinned; they are verified before anything is unpacked, nothing of
/// them is run by Python, and the installation appears in its place in one step, so that an installation is whole or
/// not there. Several processes may install at once.
public actor MoonshineInstaller {
    /// The current step of an installation.
    public enum Step: Sendable, Hashable {
        /// Downloading this many bytes.
        case downloading(bytes: Int)
        /// Comparing the checksum.
        case verifying
        /// The download is being unpacked.
        case unpacking
        /// Done; also the only step where it was there already.
        case installed
    }

    private let executor = BlockingExecutor(label: "riff.voice.moonshine-installer")
    /// Hashing and moving files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let cacheFolder: String
    private let searchPath: String
    private let distribution: MoonshineDistribution?
    /// `nil` for a local process in the installation's own folder.
    private let runner: CommandRunner?

    /// Creates an installer.
    ///
    /// - Parameter cacheFolder: Where it is kept, made with mode 0700; `nil` for
    ///   ``MoonshineInstallation/cacheFolder(in:)``.
    /// - Throws: ``VoiceError`` with `speechEngineMissing` where there is no home directory.
    public init(cacheFolder: String? = nil) throws(VoiceError) {
        try self.init(cacheFolder: cacheFolder, runner: nil, distribution: .current)
    }

    package init(
        cacheFolder: String?,
        runner: CommandRunner?,
        distribution: MoonshineDistribution?,
        searchPath: String? = nil
    ) throws(VoiceError) {
        if let cacheFolder {
            self.cacheFolder = cacheFolder
        } else {
            self.cacheFolder = try MoonshineInstallation.cacheFolder()
        }
        self.searchPath = searchPath ?? ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        self.runner = runner
        self.distribution = distribution
    }

    /// Installs the engine, or finds the one installed before.
    ///
    /// - Parameter progress: Told each step, on this installer's queue.
    /// - Returns: The installation.
    /// - Throws: ``VoiceError`` with `speechEngineUnsupported`, `speechEngineInstallFailed` (no Python; the last line
    ///   that `pip` wrote), `speechEngineChecksumMismatch` or `fileFailed`; `CancellationError`. Nothing is left
    ///   behind.
    public func install(
        progress: @escaping @Sendable (Step) -> Void = { _ in }
    ) async throws -> MoonshineInstallation {
        guard let distribution else { throw MoonshineDistribution.unsupported }
        let target = cacheFolder + "/" + MoonshineDistribution.folderName
        // Not whole is the same as not there: it is put there anew.
        if let found = try? MoonshineInstallation(folder: target) {
            progress(.installed)
            return found
        }
        let python = try program("python3")
        try makeFolder(cacheFolder)
        let work = try makeTemporaryFolder()
        defer {
            // What stays behind is found by no one, and the cache may be emptied at any time.
            try? FileManager.default.removeItem(atPath: work)
        }
        progress(.downloading(bytes: distribution.wheels.map(\.bytes).reduce(0, +)))
        for wheel in distribution.wheels { try await download(wheel, by: python, into: work) }
        progress(.verifying)
        for wheel in distribution.wheels { try verify("\(work)/\(wheel.fileName)", wheel) }
        progress(.unpacking)
        let unpacked = work + "/engine"
        for wheel in distribution.wheels { try await unpack(wheel, by: python, in: work, to: unpacked) }
        _ = try MoonshineInstallation(folder: unpacked)
        try Task.checkCancellation()
        let installation = try moveIntoPlace(unpacked, target, leftovers: work + "/replaced")
        progress(.installed)
        return installation
    }

    // MARK: Steps

    private func download(_ wheel: MoonshineWheel, by python: String, into folder: String) async throws {
        let command = [
            python, "-I", "-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--no-cache-dir",
            "--no-deps",
            "--only-binary=:all:", "--platform", wheel.platform, wheel.requirement, "-d", folder,
        ]
        try await run(command, in: folder, wheel, doing: "downloaded with pip")
    }

    /// Takes what is needed out of a wheel, and nothing else.
    private func unpack(_ wheel: MoonshineWheel, by python: String, in folder: String, to target: String) async throws {
        let all = "\(folder)/\(wheel.requirement)"
        let command = [python, "-I", "-m", "zipfile", "-e", "\(folder)/\(wheel.fileName)", all]
        try await run(command, in: folder, wheel, doing: "unpacked")
        for (source, name) in wheel.files {
            let place = "\(target)/\(name)"
            try makeFolder(String(place.prefix(upTo: place.lastIndex(byte: "/") ?? place.endIndex)))
            guard rename("\(all)/\(source)", place) != 0 else { continue }
            // One that the package has not is told of by whoever looks for it.
            guard errno == ENOENT else { throw failure("put into place", place, errno) }
        }
    }

    /// Python is started isolated (`-I`): a `pip.py` of the working folder, or a folder named by a variable, is not run
    /// in the place of its own `pip`.
    private func run(
        _ arguments: [String],
        in folder: String,
        _ wheel: MoonshineWheel,
        doing what: String
    ) async throws {
        let result =
            if let runner {
                try await runner(arguments)
            } else {
                try await LocalCommandRunner.run(arguments, in: folder)
            }
        guard result.exit?.isSuccess == true else {
            let lines = (result.text + result.diagnosticText).split(whereSeparator: \.isNewline)
            let reason = lines.last.map { String($0.suffix(300)) } ?? "it wrote nothing"
            let message = "The speech engine's \(wheel.requirement) could not be \(what): \(reason)."
            throw VoiceError(.speechEngineInstallFailed, message, recovery: .checkNetwork)
        }
    }

    private func verify(_ path: String, _ wheel: MoonshineWheel) throws {
        let file: ReadOnlyFile
        do {
            file = try ReadOnlyFile(path)
        } catch {
            let message = "pip did not bring \(wheel.fileName); its index may not have it."
            throw VoiceError(.speechEngineInstallFailed, message, recovery: .checkNetwork, cause: error)
        }
        var hash = SHA256()
        while true {
            let bytes = try file.read(upTo: 1 << 20)
            if bytes.isEmpty { break }
            bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        }
        let digits = HexDigits.text(hash.finalize())
        guard digits == wheel.sha256 else {
            let message =
                "The downloaded \(wheel.fileName) has SHA-256 \(digits), not the pinned one; it was not unpacked."
            throw VoiceError(.speechEngineChecksumMismatch, message)
        }
    }

    /// Renames the finished folder into place; one that is whole and came first wins, one that is not is moved away.
    private func moveIntoPlace(_ folder: String, _ target: String, leftovers: String) throws -> MoonshineInstallation {
        for attempt in 0..<8 {
            if rename(folder, target) == 0 { return try MoonshineInstallation(folder: target) }
            let reason = errno
            guard reason == ENOTEMPTY || reason == EEXIST else { throw failure("put into place", target, reason) }
            if let found = try? MoonshineInstallation(folder: target) { return found }
            guard rename(target, "\(leftovers)-\(attempt)") == 0 || errno == ENOENT else {
                throw failure("replaced", target, errno)
            }
        }
        throw failure("put into place", target, EBUSY)
    }

    // MARK: Files

    private func program(_ name: String) throws(VoiceError) -> String {
        for folder in searchPath.split(byte: ":") where folder.hasPrefix(bytes: "/") {
            let path = "\(folder)/\(name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw VoiceError(
            .speechEngineInstallFailed,
            "\(name) is not on the search path; it downloads the speech engine. Install it with its pip.",
            recovery: .installProgram(name)
        )
    }

    /// Makes a folder and those above it that are missing; one made here is for its owner only.
    private func makeFolder(_ path: String) throws(VoiceError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw VoiceError(.fileFailed, "\(path) could not be made; choose another cache folder.", cause: error)
        }
    }

    /// A new folder beside the target, so that renaming stays within one file system.
    private func makeTemporaryFolder() throws(VoiceError) -> String {
        var template = Array((cacheFolder + "/.installing-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw failure("written to", cacheFolder, errno) }
        return String(cString: made)
    }

    private func failure(_ verb: String, _ path: String, _ number: Int32) -> VoiceError {
        VoiceError(.fileFailed, "\(path) could not be \(verb): \(String(cString: strerror(number))).")
    }
}
