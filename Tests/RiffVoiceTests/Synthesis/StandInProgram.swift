// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import RiffVoice
import TestSupport
import VoiceTestSupport

/// A shell script that stands in for a program that speaks, in a folder of its own.
struct StandInProgram {
    let folder: String
    var path: String { folder + "/speaker" }

    /// Makes the script and runs the body with it. In the script `$folder` is its folder; `wav` writes a WAV file of a
    /// second, whose header was written before its end was known.
    static func with(_ script: String, _ body: (StandInProgram) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/riff-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup of a temporary folder.
        var wav = try WAVWriter.file(Speech.tone(.seconds(1)), format: .speech)
        wav.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        wav.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try Data(wav).write(to: URL(fileURLWithPath: folder + "/tone.wav"))
        let program = StandInProgram(folder: folder)
        let text = "#!/bin/sh\nfolder='\(folder)'\nwav() { cat \"$folder/tone.wav\"; }\n\(script)\n"
        try await SystemProgram.writeScript(text, to: program.path)
        try await body(program)
    }

    /// What the script wrote into a file of its folder.
    func file(_ name: String) throws -> String {
        try String(contentsOf: URL(fileURLWithPath: folder + "/" + name), encoding: .utf8)
    }
}
