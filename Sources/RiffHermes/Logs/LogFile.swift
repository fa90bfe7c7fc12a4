// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffTransport

/// A log on a host, and the older ones it was rotated to.
public struct LogFile: Sendable {
    /// The place where a reading begins.
    public enum Start: Sendable, Hashable {
        /// With the first byte of the oldest file that the log was rotated to, compressed ones (`NAME.3.gz`) too.
        case oldest
        /// With the first byte of the log as it is; rotated files are not read.
        case beginning
        /// With the first whole line of so many bytes at its end.
        case last(bytes: Int)
        /// With what comes from now on.
        case end
    }

    /// The host of the log.
    package let host: any HostSession
    /// The log's path.
    public let path: String
    /// Why it is not read: its name leads out of its folder.
    var refusal: DataError?

    /// Creates a log.
    package init(_ path: String, on host: any HostSession) {
        self.host = host
        self.path = path
    }

    /// Reads the newest entries once.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes at the log's end that are read; the first line of them is whole.
    ///   - filter: The entries to return.
    /// - Returns: The entries, oldest first; `nil` if there is no log.
    /// - Throws: ``DataError`` with `invalidValue` for a name that leads out of the folder; the host's own errors.
    public func entries(
        inLast bytes: Int = 64 * 1024,
        matching filter: LogFilter = LogFilter()
    ) async throws -> [LogEntry]? {
        if let refusal { throw refusal }
        guard let size = try await host.status(of: path)?.sizeBytes else { return nil }
        var entries: [LogEntry] = []
        var offset = size - min(size, UInt64(max(bytes, 0)))
        // The rest of a line that was cut off is before the first whole one.
        var assembler = LogAssembler(isLineStart: offset == 0)
        while offset < size {
            let chunk = try await host.read(path, from: offset, count: 256 * 1024)
            guard !chunk.isEmpty else { break }
            offset += UInt64(chunk.count)
            entries += assembler.push(chunk).filter(filter.matches)
        }
        return entries + assembler.finish().filter(filter.matches)
    }

    // sample: home: HermesHome
    /// Reads the log, and continues to read it as it grows, through rotations and truncations.
    ///
    /// ```swift
    /// let tail = home.log(.agent).tail(matching: LogFilter(minimumLevel: .warning))
    /// for try await batch in tail { show(batch.entries) }
    /// ```
    ///
    /// - Parameters:
    ///   - start: Where to begin.
    ///   - filter: Which entries to give.
    ///   - interval: The longest time between two looks, where the host does not tell of changes by itself.
    ///   - patience: How long an entry waits for more lines that may belong to it.
    ///   - clock: Measures both.
    /// - Returns: The entries.
    public func tail(
        from start: Start = .last(bytes: 64 * 1024),
        matching filter: LogFilter = LogFilter(),
        every interval: Duration = .seconds(1),
        patience: Duration = .milliseconds(200),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> LogTail {
        LogTail(file: self, start: start, filter: filter, interval: interval, patience: patience, clock: clock)
    }
}

extension HermesHome {
    /// The open set of a home's logs.
    public struct Log: RawRepresentable, Sendable, Hashable {
        /// The file's name without `.log`.
        public let rawValue: String

        /// Creates a log's name, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The log of the agent.
        public static let agent = Log(rawValue: "agent")
        /// Warnings and worse of all parts.
        public static let errors = Log(rawValue: "errors")
        /// The log of the gateway to chat platforms.
        public static let gateway = Log(rawValue: "gateway")
    }

    /// Returns one of the logs. If its name leads out of the folder, reading throws ``DataError`` with `invalidValue`.
    public func log(_ log: Log) -> LogFile {
        var file = LogFile("\(path)/logs/\(log.rawValue).log", on: host)
        file.refusal = log.rawValue.isEmpty ? Self.refusal(of: "") : Self.refusal(of: log.rawValue + ".log")
        return file
    }

    /// Lists the logs of the home, by name.
    public func logs() async throws -> [Log] {
        do {
            return try await host.list("\(path)/logs").filter { $0.name.hasSuffix(".log") }
                .map { Log(rawValue: String($0.name.dropLast(4))) }
                .sorted { $0.rawValue < $1.rawValue }
        } catch let error as TransportError where error.code == .fileNotFound {
            return []
        }
    }
}
