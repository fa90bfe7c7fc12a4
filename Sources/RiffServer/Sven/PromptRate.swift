// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// How many prompts each device may still send. A pure value; only devices that sent one within the window are kept.
package struct PromptRate: Sendable {
    private let limit: Int
    private let length: Duration
    private var windows: [String: SlidingWindow] = [:]

    package init(limit: Int, length: Duration) {
        self.limit = limit
        self.length = length
    }

    /// How many devices are kept.
    package var count: Int { windows.count }

    /// Takes a prompt of a device.
    ///
    /// - Returns: `nil` where it may pass; else how long until one may.
    package mutating func take(_ device: String, at now: Duration) -> Duration? {
        if windows[device] == nil { windows = windows.filter { !$0.value.isEmpty(at: now) } }
        var window = windows[device] ?? SlidingWindow(limit: limit, length: length)
        let isTaken = window.take(at: now)
        windows[device] = window
        return isTaken ? nil : window.delay(at: now)
    }
}
