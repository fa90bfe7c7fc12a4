// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import Synchronization

/// A recording as a person would say it: at the speed at which it was spoken, and silent then.
final class SpokenRecording: AudioSource {
    private static let tick = Duration.milliseconds(20)

    private let path: String
    private let source = MemoryAudioSource()
    private let speaking = Mutex<Task<Void, Never>?>(nil)

    init(_ path: String) { self.path = path }

    func start() async throws -> AudioFormat {
        let file = AudioClip([UInt8](try Data(contentsOf: URL(filePath: path))), encoding: .wav)
        let samples = try file.samples()
        let format = try await source.start()
        let task = Task { [source] in
            let clock = ContinuousClock()
            let start = clock.now
            let size = format.bytesPerFrame * format.sampleRate / 50
            for tick in 0... {
                let part = samples.dropFirst(tick * size).prefix(size)
                let frames = part + [UInt8](repeating: 0, count: size - part.count)
                // The end of either is the end of the recording.
                guard (try? await clock.sleep(until: start + Self.tick * tick)) != nil,
                    (try? await source.push(Array(frames))) != nil
                else { return }
            }
        }
        speaking.withLock { $0 = task }
        return format
    }

    var frames: any AsyncSequence<[UInt8], any Error> & Sendable { source.frames }

    func stop() async {
        speaking.withLock { $0?.cancel() }
        await source.stop()
    }
}
