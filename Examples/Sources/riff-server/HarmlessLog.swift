// Riff
// SPDX-License-Identifier: Apache-2.0

package import ExampleTerminal
import Foundation
package import Logging

/// The server's log: one line for each event, in which whatever a client sent can only be read.
package struct HarmlessLog: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel = Logger.Level.notice
    private let label: String
    private let write: @Sendable (HarmlessText) -> Void

    package init(
        label: String,
        write: @escaping @Sendable (HarmlessText) -> Void = { Printing.write($0, to: .errors) }
    ) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let facts = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let time = Date.now.formatted(.iso8601)
        var words = ["\(time) \(event.level.rawValue) \(label):"] + facts
        words += ["[\(event.source)]", "\(event.message)"]
        if let error = event.error { words.append("(\(type(of: error)))") }
        write("\(words.joined(separator: " "))\n")
    }
}
