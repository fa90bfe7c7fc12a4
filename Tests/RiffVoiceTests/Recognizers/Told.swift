// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Synchronization

/// The steps of a preparation, as they were told.
final class Told: Sendable {
    private let steps = Mutex<[EnginePreparation]>([])

    var all: [EnginePreparation] { steps.withLock { $0 } }

    func add(_ step: EnginePreparation) { steps.withLock { $0.append(step) } }
}
