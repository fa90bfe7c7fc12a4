// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTransport

extension HostSessionConformance {
    /// Fingerprints tell what is there and only that, differ after a change, and stay while nothing changes.
    public func tellsFingerprints() async throws {
        try await check { room in
            let (file, other, none) = ("\(room)/a file'\"$x", "\(room)/other", "\(room)/none")
            try await session.write([1, 2, 3], to: file, permissions: nil)
            try await session.write([4], to: other, permissions: nil)
            let first = try await session.fingerprints(of: [file, none, other])
            try expect(
                first.keys.sorted() == [file, other].sorted() && first[file]?.sizeBytes == 3,
                "of two files and a missing one \(first) is told"
            )
            let again = try await session.fingerprints(of: [file, other])
            try expect(again == first, "untouched files have the same fingerprints, not \(again) after \(first)")
            try await session.write([5, 6], to: other, permissions: nil)
            let changed = try await session.fingerprints(of: [file, other])
            try expect(
                changed[file] == first[file] && changed[other] != first[other],
                "one of two files was replaced: \(changed) after \(first)"
            )
        }
    }

    /// A file that is made, replaced, renamed away and made again is seen each time, in a directory that may be new
    /// too.
    public func seesEveryKindOfChange() async throws {
        try await check { room in
            let path = "\(room)/log"
            let watch = try await session.watch([path], every: .milliseconds(50), clock: ContinuousClock())
            var changes = watch.makeAsyncIterator()
            var seen: [String] = []
            func note(_ what: String) async throws {
                guard let change = try await changes.next()?.first else { throw Violation(message: "the watch ended") }
                try expect(change.path == path, "the change is at \(change.path)")
                seen.append("\(what): \(change.kind.rawValue)")
            }
            try await session.write([1], to: path, permissions: nil)
            try await note("made")
            try await session.write([1, 2], to: path, permissions: nil)
            try await note("replaced")
            try await session.rename(path, to: "\(room)/log.1")
            try await note("renamed away")
            try await session.write([3], to: path, permissions: nil)
            try await note("made anew")
            try await session.remove(path)
            try await note("removed")
            // A host that tells no identity cannot tell a replacement from a change.
            let kinds = seen.map { $0 == "replaced: modified" ? "replaced: replaced" : $0 }
            try expect(
                kinds == [
                    "made: created", "replaced: replaced", "renamed away: removed", "made anew: created",
                    "removed: removed",
                ],
                "the changes were seen as \(seen)"
            )
        }
    }

    /// Many changes that are not asked for are one, for each path.
    public func joinsChanges() async throws {
        try await check { room in
            let paths = ["\(room)/a", "\(room)/b", "\(room)/a"]
            let watch = try await session.watch(paths, every: .milliseconds(50), clock: ContinuousClock())
            for count in 1...20 {
                try await session.write([UInt8](repeating: 1, count: count), to: paths[0], permissions: nil)
            }
            try await session.write([1], to: paths[1], permissions: nil)
            var changes = watch.makeAsyncIterator()
            let found = try await changes.next() ?? []
            try expect(
                found.map(\.path) == [paths[0], paths[1]] && found.first?.after?.sizeBytes == 20,
                "twenty changes of one file and one of another are \(found)"
            )
        }
    }

    /// A watch whose task is cancelled ends at once.
    public func endsACancelledWatch() async throws {
        try await check { room in
            let watch = try await session.watch(["\(room)/none"], every: .seconds(3600), clock: ContinuousClock())
            let task = Task {
                var changes = watch.makeAsyncIterator()
                return try await changes.next()
            }
            try await settle()
            task.cancel()
            do {
                let found = try await task.value
                throw Violation(message: "a cancelled watch found \(String(describing: found))")
            } catch is CancellationError {}
        }
    }
}
