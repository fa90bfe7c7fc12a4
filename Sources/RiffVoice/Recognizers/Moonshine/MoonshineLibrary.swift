// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import RiffCore

/// The functions of `libmoonshine` (moonshine-c-api.h, header version 30000), found at run time.
///
/// The library stays loaded for the life of the process: the ONNX runtime beneath it keeps threads and cannot be taken
/// out again. Its functions are called here and nowhere else.
struct MoonshineLibrary {
    private typealias Load =
        @convention(c) (UnsafePointer<CChar>, UInt32, UnsafeRawPointer?, UInt64, Int32) -> Int32
    private typealias Transcribe =
        @convention(c) (
            Int32, UnsafePointer<Float>, UInt64, Int32, UInt32, UnsafeMutablePointer<UnsafeRawPointer?>
        ) -> Int32
    private typealias Free = @convention(c) (Int32) -> Void

    private static let headerVersion: Int32 = 30_000
    /// `transcript_t` is the address of its lines and their number; a line begins with the address of its text.
    private static let countOffset = 8
    private static let lineStride = 88

    private let load: Load
    private let recognize: Transcribe
    private let freeTranscriber: Free

    /// Loads the runtime, then the engine, which is linked against it by its name.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineFailed` and what the loader said.
    init(_ installation: MoonshineInstallation) throws(VoiceError) {
        _ = try MoonshineLibrary.open(installation.runtimePath, RTLD_NOW | RTLD_GLOBAL)
        let path = installation.libraryPath
        let library = try MoonshineLibrary.open(path, RTLD_NOW | RTLD_LOCAL)
        func symbol(_ name: String) throws(VoiceError) -> UnsafeMutableRawPointer {
            try MoonshineLibrary.symbol(name, library, path)
        }
        load = unsafeBitCast(try symbol("moonshine_load_transcriber_from_files"), to: Load.self)
        recognize = unsafeBitCast(try symbol("moonshine_transcribe_without_streaming"), to: Transcribe.self)
        freeTranscriber = unsafeBitCast(try symbol("moonshine_free_transcriber"), to: Free.self)
    }

    /// `moonshine_load_transcriber_from_files`.
    ///
    /// - Parameters:
    ///   - folder: The model's.
    ///   - architecture: Which kind of model it is, as the header numbers them.
    ///   - options: Names and values.
    /// - Returns: The handle of a loaded model, or a negative code.
    func loadModel(_ folder: String, _ architecture: UInt32, options: [(name: String, value: String)]) -> Int32 {
        let texts = options.flatMap { [strdup($0.name), strdup($0.value)] }
        defer { for text in texts { free(text) } }
        return texts.withUnsafeBytes {
            load(folder, architecture, $0.baseAddress, UInt64(options.count), Self.headerVersion)
        }
    }

    /// `moonshine_transcribe_without_streaming`: a status, and where that is 0 the texts of the lines.
    func transcribe(
        _ model: Int32,
        _ samples: UnsafeBufferPointer<Float>,
        sampleRate: Int
    ) -> (status: Int32, lines: [String]) {
        guard let start = samples.baseAddress else { return (0, []) }
        // It stays the engine's, until the next call.
        var transcript: UnsafeRawPointer?
        let status = recognize(model, start, UInt64(samples.count), Int32(sampleRate), 0, &transcript)
        guard status == 0, let transcript else { return (status, []) }
        let lines = transcript.load(as: UnsafeRawPointer?.self)
        let count = transcript.load(fromByteOffset: Self.countOffset, as: UInt64.self)
        let texts = (0..<Int(count)).compactMap {
            lines?.load(fromByteOffset: $0 * Self.lineStride, as: UnsafePointer<CChar>?.self).map {
                String(cString: $0)
            }
        }
        return (0, texts)
    }

    /// `moonshine_free_transcriber`.
    func unload(model: Int32) { freeTranscriber(model) }

    private static func open(_ path: String, _ mode: Int32) throws(VoiceError) -> UnsafeMutableRawPointer {
        if let handle = dlopen(path, mode) { return handle }
        let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
        throw failure("The speech engine's library \(path) cannot be loaded: \(reason).")
    }

    private static func symbol(
        _ name: String,
        _ library: UnsafeMutableRawPointer,
        _ path: String
    ) throws(VoiceError) -> UnsafeMutableRawPointer {
        if let address = dlsym(library, name) { return address }
        throw failure("The speech engine at \(path) has no function \(name).")
    }

    private static func failure(_ what: String) -> VoiceError {
        VoiceError(.speechEngineFailed, what + " Install it again.", recovery: .installProgram("moonshine-voice"))
    }
}
