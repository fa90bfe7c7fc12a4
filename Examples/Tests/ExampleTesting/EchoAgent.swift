// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The echo agent of the protocol's SDK.
package enum EchoAgent {
    private static let folder: String = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/"
        #if canImport(Darwin)
        let standard = "\(home)/Library/Caches"
        #else
        let standard = "\(home)/.cache"
        #endif
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
        return "\(cache)/riff/acp-agents-0.12.1"
    }()

    package static let python = "\(folder)/bin/python"
    package static let script = "\(folder)/examples/echo_agent.py"
    package static var isThere: Bool { FileManager.default.fileExists(atPath: "\(folder)/complete") }
}
