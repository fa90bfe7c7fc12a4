// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
package import RiffTransport

/// flock(2) on a file of a host, as the programs there take it: held by a command that waits for its input to end, so
/// that it is released whatever happens to this side.
package struct HostLock: Sendable {
    private let path: String
    private let host: any HostSession
    private let wait: Duration

    /// Creates a lock.
    ///
    /// - Parameters:
    ///   - path: The lock file; made where it is missing. Its directory must exist.
    ///   - host: The host.
    ///   - wait: How long another holder is waited for, in whole seconds.
    package init(_ path: String, on host: any HostSession, wait: Duration = .seconds(10)) {
        self.path = path
        self.host = host
        self.wait = wait
    }

    /// Runs a body while the lock is held. Should the lock be lost, the body is cancelled.
    ///
    /// - Throws: ``DataError`` with `fileLocked` when another holder does not let go in time, `lockLost`, or
    ///   `lockUnavailable` where the host has none of `flock`, `perl` and `python3`; the host's own errors; what
    ///   `body` throws.
    package func whileHeld<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let channel = try await host.openChannel(try commandLine())
        do {
            let result = try await run(body, holding: channel)
            try await channel.finishWriting()
            // The command ends once its input has, and lets go. Whether it still says so does not matter any more.
            _ = try? await channel.exitStatus()
            await channel.close()
            return result
        } catch {
            await channel.close()
            throw error
        }
    }

    private func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result,
        holding channel: any ByteChannel
    ) async throws -> Result {
        var output = channel.output.makeAsyncIterator()
        var said: [UInt8] = []
        while !String(decoding: said, as: UTF8.self).contains(Self.held) {
            guard let bytes = try await output.next() else { throw try await failure(of: channel) }
            said += bytes
            guard said.count < 64 * 1024 else { throw try await failure(of: channel) }
        }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                // It writes nothing more: its end is the lock's.
                _ = try? await channel.exitStatus()
                try Task.checkCancellation()
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                throw DataError(.lockLost, "The lock \(path) was lost while it was held.", recovery: .retry)
            }
            return result
        }
    }

    private func failure(of channel: any ByteChannel) async throws -> DataError {
        switch try await channel.exitStatus() {
        case .exited(75):
            DataError(
                .fileLocked,
                "Another program has held \(path) for \(wait). Try again.",
                recovery: .retry
            )
        case .exited(69):
            DataError(
                .lockUnavailable,
                "The host has no program that takes the lock \(path). Install flock, perl or python3 there.",
                recovery: .installProgram("flock")
            )
        case let status:
            DataError(
                .lockUnavailable,
                "The lock \(path) cannot be taken: its file cannot be opened (\(status.map { "\($0)" } ?? "no status"))."
            )
        }
    }

    private static let held = "riff-lock-held"

    private func commandLine() throws -> String {
        let seconds = String(max(0, wait.components.seconds))
        return "exec " + (try ShellQuoting.join(["sh", "-c", Self.script, "sh", path, seconds]))
    }

    /// Statuses after sysexits(3): 69 no program, 73 the file cannot be made, 75 held by another.
    ///
    /// Of `flock` only `-n` is used: those of BusyBox and toybox know no `-w`. Held by another it ends with 1 and says
    /// nothing; whatever says something is no lock that is held, and the next program is tried.
    private static let script = #"""
        ( : >>"$1" ) 2>/dev/null || exit 73
        if command -v flock >/dev/null 2>&1; then
          exec 9>>"$1" || exit 73
          end=$(($(date +%s) + $2))
          while :; do
            said=$(flock -n 9 2>&1)
            case "$?$said" in
            0*) echo riff-lock-held; exec cat >/dev/null ;;
            1) [ "$(date +%s)" -lt "$end" ] || exit 75 ;;
            *) break ;;
            esac
            sleep 0.1 2>/dev/null || sleep 1
          done
          exec 9>&-
        fi
        if command -v perl >/dev/null 2>&1; then
          exec perl -MFcntl=:flock -e 'open(F,">>",$ARGV[0]) or exit 73; $e=time+$ARGV[1];
            until(flock(F,LOCK_EX|LOCK_NB)){exit 75 if time>=$e; select(undef,undef,undef,0.1)}
            $|=1; print "riff-lock-held\n"; 1 while <STDIN>;' "$1" "$2"
        fi
        if command -v python3 >/dev/null 2>&1; then
          exec python3 -I -c 'import fcntl,sys,time
        f=open(sys.argv[1],"a"); e=time.time()+int(sys.argv[2])
        while True:
            try: fcntl.flock(f,fcntl.LOCK_EX|fcntl.LOCK_NB); break
            except OSError:
                if time.time()>=e: sys.exit(75)
                time.sleep(0.1)
        sys.stdout.write("riff-lock-held\n"); sys.stdout.flush(); sys.stdin.read()' "$1" "$2"
        fi
        exit 69
        """#
}

extension DataErrorCode {
    /// Another program holds a file's lock.
    public static let fileLocked = DataError.Code(rawValue: "fileLocked")
    /// A lock went away while it was held, with the connection that held it.
    package static let lockLost = DataError.Code(rawValue: "lockLost")
    /// A lock cannot be taken on the host at all.
    package static let lockUnavailable = DataError.Code(rawValue: "lockUnavailable")
}
