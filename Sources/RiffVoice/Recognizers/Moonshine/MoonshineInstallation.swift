// Riff
// SPDX-License-Identifier: Apache-2.0

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

/// A folder that holds the Moonshine engine, out of the PyPI package `moonshine-voice`, and the English model
/// "base-en", out of `moonshine-cpp`.
///
/// Both are by Moonshine AI under the MIT license, the ONNX runtime beside them is by Microsoft under the MIT license;
/// the folder keeps the license files. Nothing of it is part of this library.
public struct MoonshineInstallation: Sendable, Hashable {
    /// The path of the folder.
    public let folder: String

    /// Takes a folder in which every file is present.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineUnsupported` on a platform without an engine, `speechEngineMissing`
    ///   naming the first file that is not there.
    package init(folder: String) throws(VoiceError) {
        guard let distribution = MoonshineDistribution.current else { throw MoonshineDistribution.unsupported }
        self.folder = folder
        runtimeName = distribution.runtimeName
        libraryName = distribution.libraryName
        for file in [runtimePath, libraryPath] + modelFiles where access(file, R_OK) != 0 {
            throw VoiceError(
                .speechEngineMissing,
                "The speech engine is not complete: \(file) cannot be read. Install it again.",
                recovery: .installProgram("moonshine-voice")
            )
        }
    }

    private let runtimeName: String
    private let libraryName: String

    var runtimePath: String { folder + "/" + runtimeName }
    var libraryPath: String { folder + "/" + libraryName }
    var modelPath: String { folder + "/models/base-en" }
    private var modelFiles: [String] {
        ["encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"].map { "\(modelPath)/\($0)" }
    }

    /// The installation that `RIFF_MOONSHINE` names, or else the one in the cache folder; `nil` where neither is whole.
    ///
    /// - Parameter environment: The environment's variables; those of this process unless said otherwise.
    /// - Returns: A whole installation, or `nil`.
    public static func find(in environment: [String: String]? = nil) -> MoonshineInstallation? {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let cached = try? cacheFolder(in: environment) + "/" + MoonshineDistribution.folderName
        for folder in [environment["RIFF_MOONSHINE"], cached] {
            // Not being there is the answer, not an error: the caller installs it or does without.
            if let folder, let found = try? MoonshineInstallation(folder: folder) { return found }
        }
        return nil
    }

    /// The folder in which downloaded engines are kept: `$XDG_CACHE_HOME/riff` or `~/.cache/riff`; on Apple platforms
    /// `~/Library/Caches/riff`.
    ///
    /// - Parameter environment: The environment's variables; those of this process unless said otherwise.
    /// - Returns: An absolute path; the folder may not exist yet.
    /// - Throws: ``VoiceError`` with `speechEngineMissing` where there is no home directory.
    public static func cacheFolder(in environment: [String: String]? = nil) throws(VoiceError) -> String {
        let environment = environment ?? ProcessInfo.processInfo.environment
        // The XDG specification has relative values ignored.
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix(bytes: "/") { return cache + "/riff" }
        guard let home = environment["HOME"], home.hasPrefix(bytes: "/") else {
            let message = "There is no home directory to keep the speech engine in; set HOME or XDG_CACHE_HOME."
            throw VoiceError(.speechEngineMissing, message)
        }
        #if canImport(Darwin)
        return home + "/Library/Caches/riff"
        #else
        return home + "/.cache/riff"
        #endif
    }
}

extension VoiceErrorCode {
    /// A file of the speech engine is not there.
    public static let speechEngineMissing = VoiceError.Code(rawValue: "speechEngineMissing")
    /// There is no engine for this platform.
    public static let speechEngineUnsupported = VoiceError.Code(rawValue: "speechEngineUnsupported")
    /// The engine could not be loaded, or failed while it worked.
    public static let speechEngineFailed = VoiceError.Code(rawValue: "speechEngineFailed")
    /// The engine could not be downloaded or unpacked.
    public static let speechEngineInstallFailed = VoiceError.Code(rawValue: "speechEngineInstallFailed")
    /// The download is not the one that this version was made for; it was not unpacked.
    public static let speechEngineChecksumMismatch = VoiceError.Code(rawValue: "speechEngineChecksumMismatch")
}
