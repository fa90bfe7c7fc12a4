// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The pinned file of the package index that holds the engine for this platform.
///
/// `moonshine-cpp` 0.1.4 has two: Linux on x86_64 (glibc) and macOS 15 on arm64. There is none for Linux on arm64.
package struct MoonshineWheel: Sendable {
    package let fileName: String
    /// Lower-case hexadecimal.
    package let sha256: String
    package let bytes: Int
    package let runtimeName: String
    package let libraryName: String

    package init(fileName: String, sha256: String, bytes: Int, runtimeName: String, libraryName: String) {
        self.fileName = fileName
        self.sha256 = sha256
        self.bytes = bytes
        self.runtimeName = runtimeName
        self.libraryName = libraryName
    }

    package static let requirement = "moonshine-cpp==0.1.4"
    package static let folderName = "moonshine-cpp-0.1.4"
    /// Where the wheel keeps what is needed.
    package static let packageFolder = "moonshine_cpp-0.1.4.data/purelib/moonshine_cpp"

    #if os(Linux) && arch(x86_64) && canImport(Glibc)
    package static let current: MoonshineWheel? = MoonshineWheel(
        fileName: "moonshine_cpp-0.1.4-py3-none-manylinux2014_x86_64.whl",
        sha256: "f7afc662bdd3ef98815ee3b940438b456e77d5a77cea5396ed9c572785412ebd",
        bytes: 54_645_697,
        runtimeName: "libonnxruntime.so.1.22.1",
        libraryName: "libmoonshine.so"
    )
    #elseif os(macOS) && arch(arm64)
    package static let current: MoonshineWheel? = MoonshineWheel(
        fileName: "moonshine_cpp-0.1.4-py3-none-macosx_15_0_arm64.whl",
        sha256: "509f3f86447a241a006c988212a0acbcb011cdb2e154a39d4fff06109e78e89e",
        bytes: 62_408_724,
        runtimeName: "libonnxruntime.1.22.1.dylib",
        libraryName: "libmoonshine.dylib"
    )
    #else
    package static let current: MoonshineWheel? = nil
    #endif

    static let unsupported = VoiceError(
        .speechEngineUnsupported,
        "The offline speech engine exists for Linux on x86_64 and macOS on arm64 only; use a speech service instead."
    )
}
