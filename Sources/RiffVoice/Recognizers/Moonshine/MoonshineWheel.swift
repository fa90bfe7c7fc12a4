// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A pinned file of the package index, and what is taken out of it.
package struct MoonshineWheel: Sendable {
    /// The requirement that pip is asked for.
    package let requirement: String
    /// The platform for which pip is to take it, whatever this machine is.
    package let platform: String
    package let fileName: String
    /// Lower-case hexadecimal.
    package let sha256: String
    package let bytes: Int
    /// The files that are needed: the path of each in the wheel, with its path in the installation.
    package let files: [String: String]

    package init(
        requirement: String,
        platform: String,
        fileName: String,
        sha256: String,
        bytes: Int,
        files: [String: String]
    ) {
        (self.requirement, self.platform, self.fileName) = (requirement, platform, fileName)
        (self.sha256, self.bytes, self.files) = (sha256, bytes, files)
    }

    /// The English model, which is the same for every platform: the engine's own packages download theirs.
    static let model = MoonshineWheel(
        requirement: "moonshine-cpp==0.1.4",
        platform: "manylinux2014_x86_64",
        fileName: "moonshine_cpp-0.1.4-py3-none-manylinux2014_x86_64.whl",
        sha256: "f7afc662bdd3ef98815ee3b940438b456e77d5a77cea5396ed9c572785412ebd",
        bytes: 54_645_697,
        files: Dictionary(
            uniqueKeysWithValues: [
                "LICENSE", "models/base-en/encoder_model.ort", "models/base-en/decoder_model_merged.ort",
                "models/base-en/tokenizer.bin",
            ].map { ("moonshine_cpp-0.1.4.data/purelib/moonshine_cpp/\($0)", $0) }
        )
    )
}

/// All that an installation is made of on one platform.
package struct MoonshineDistribution: Sendable {
    package let wheels: [MoonshineWheel]
    package let runtimeName: String
    package let libraryName: String

    package init(wheels: [MoonshineWheel], runtimeName: String, libraryName: String) {
        (self.wheels, self.runtimeName, self.libraryName) = (wheels, runtimeName, libraryName)
    }

    package static let folderName = "moonshine-0.1.5-base-en"

    private init(platform: String, sha256: String, bytes: Int, runtime: String, libraryName: String) {
        let runtimeName = String(runtime.split(byte: "/").last ?? "")
        let engine = MoonshineWheel(
            requirement: "moonshine-voice==0.1.5",
            platform: platform,
            fileName: "moonshine_voice-0.1.5-py3-none-\(platform).whl",
            sha256: sha256,
            bytes: bytes,
            files: [
                "moonshine_voice/\(libraryName)": libraryName, runtime: runtimeName,
                "moonshine_voice-0.1.5.dist-info/licenses/LICENSE": "LICENSE-engine",
            ]
        )
        self.init(wheels: [engine, .model], runtimeName: runtimeName, libraryName: libraryName)
    }

    #if os(Linux) && arch(x86_64) && canImport(Glibc)
    package static let current: MoonshineDistribution? = MoonshineDistribution(
        platform: "manylinux_2_34_x86_64",
        sha256: "1ed9e0ccf94be4845d69e7fa862dcf4c8b5801a758796966494c694f48184496",
        bytes: 19_897_307,
        runtime: "moonshine_voice.libs/libonnxruntime-13ab8084.so.1",
        libraryName: "libmoonshine.so"
    )
    #elseif os(Linux) && arch(arm64) && canImport(Glibc)
    package static let current: MoonshineDistribution? = MoonshineDistribution(
        platform: "manylinux_2_31_aarch64",
        sha256: "605300afe33eb7920301e73f11e0ea7493770eb655f389ba65be4aa1db8dedd6",
        bytes: 18_505_651,
        runtime: "moonshine_voice.libs/libonnxruntime-ab8c4363.so.1",
        libraryName: "libmoonshine.so"
    )
    #elseif os(macOS) && arch(arm64)
    package static let current: MoonshineDistribution? = MoonshineDistribution(
        platform: "macosx_15_0_arm64",
        sha256: "9866b1956d12fff11923ad42f1140bcb314bf05bf8d8576fb7b3aa819ec40e51",
        bytes: 18_589_534,
        runtime: "moonshine_voice/libonnxruntime.1.23.2.dylib",
        libraryName: "libmoonshine.dylib"
    )
    #else
    package static let current: MoonshineDistribution? = nil
    #endif

    static let unsupported = VoiceError(
        .speechEngineUnsupported,
        "The offline speech engine exists for Linux and for macOS on arm64 only; use a speech service instead."
    )
}
