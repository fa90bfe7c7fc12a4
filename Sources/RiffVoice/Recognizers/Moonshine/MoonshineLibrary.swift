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

/// The functions of `libmoonshine` (moonshine.cpp, C API of 2025), found at run time.
///
/// The library stays loaded for the life of the process: the ONNX runtime beneath it keeps threads and cannot be taken
/// out again. Its functions are called here and nowhere else, by methods that do nothing besides, so that what the engine
/// loses is told from what we would lose (Tests/Sanitizers/leaks.txt).
struct MoonshineLibrary {
    private typealias LoadModel =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int32) -> Int32
    private typealias Transcribe =
        @convention(c) (Int32, UnsafePointer<Float>, Int, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    private typealias FreeText = @convention(c) (UnsafeMutablePointer<CChar>) -> Void
    private typealias FreeModel = @convention(c) (Int32) -> Void

    private let load: LoadModel
    private let recognize: Transcribe
    private let freeText: FreeText
    private let freeModel: FreeModel

    /// Loads the runtime with its symbols global, then the engine, which is linked against them by name only.
    ///
    /// - Throws: ``VoiceError`` with `speechEngineFailed` and what the loader said.
    init(_ installation: MoonshineInstallation) throws(VoiceError) {
        _ = try MoonshineLibrary.open(installation.runtimePath, RTLD_NOW | RTLD_GLOBAL)
        let library = try MoonshineLibrary.open(installation.libraryPath, RTLD_NOW | RTLD_LOCAL)
        let path = installation.libraryPath
        load = unsafeBitCast(
            try MoonshineLibrary.symbol("moonshine_load_model", library, path),
            to: LoadModel.self
        )
        recognize = unsafeBitCast(
            try MoonshineLibrary.symbol("moonshine_transcribe", library, path),
            to: Transcribe.self
        )
        freeText = unsafeBitCast(try MoonshineLibrary.symbol("moonshine_free_text", library, path), to: FreeText.self)
        freeModel = unsafeBitCast(
            try MoonshineLibrary.symbol("moonshine_free_model", library, path),
            to: FreeModel.self
        )
    }

    /// `moonshine_load_model`: the handle of a loaded model, or a negative code.
    func loadModel(_ encoder: String, _ decoder: String, _ tokenizer: String, _ architecture: Int32) -> Int32 {
        load(encoder, decoder, tokenizer, architecture)
    }

    /// `moonshine_transcribe`: a status, and where that is 0 a text to be freed.
    func transcribe(
        _ model: Int32,
        _ samples: UnsafeBufferPointer<Float>
    ) -> (status: Int32, text: UnsafeMutablePointer<CChar>?) {
        guard let start = samples.baseAddress else { return (0, nil) }
        var text: UnsafeMutablePointer<CChar>?
        let status = recognize(model, start, samples.count, &text)
        return (status, text)
    }

    /// `moonshine_free_text`.
    func free(_ text: UnsafeMutablePointer<CChar>) { freeText(text) }

    /// `moonshine_free_model`.
    func free(model: Int32) { freeModel(model) }

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
        VoiceError(.speechEngineFailed, what + " Install it again.", recovery: .installProgram("moonshine-cpp"))
    }
}
