// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice
internal import Synchronization

extension VoiceServer {
    /// `POST /riff/upload`: a file of any kind in, `{"path": "/absolute/path"}` out. It never is in memory as a whole.
    ///
    /// What is refused is refused before a byte of the body is read, as far as that can be known.
    func upload(_ request: ServerRequest, _ claim: RequestVerifier.Claim) async throws -> ServerResponse {
        // By version 1 the end of the body would tell who sends it, and a stranger could fill the disk until then.
        guard case .verified(let digest) = claim else { throw RequestVerifier.Refusal.version }
        guard let uploads else { return Self.unread(.serviceUnavailable, "no uploads") }
        guard let name = request.headerFields[.riffFileName].flatMap({ UploadName($0) }) else {
            return Self.unread(.badRequest, "bad file name")
        }
        let announced = request.headerFields[.contentLength].map { Int64($0) ?? .max }
        guard announced ?? 0 <= uploads.limitBytes else { return Self.unread(.contentTooLarge, "file too large") }
        guard uploads.places.take() else { throw RequestVerifier.Refusal.busy }
        defer { uploads.places.release() }
        let reserved = announced ?? uploads.limitBytes
        do {
            guard try await uploads.folder.reserve(reserved, now: wallClock()) else { return Self.noRoom }
        } catch { return notKept(error) }
        let draft = UploadDraft(folder: uploads.folder.path)
        let result: Result<Kept, any Error>
        do { result = .success(try await keep(request, as: name, digest, draft, uploads)) } catch {
            result = .failure(error)
        }
        if (try? result.get()) == nil { await draft.discard() }
        await uploads.folder.release(reserved, kept: (try? result.get())?.addedBytes ?? 0)
        do { return .json(["path": .string(try result.get().path)]) } catch { return try refusal(of: error) }
    }

    private typealias Kept = (path: String, addedBytes: Int64)

    private enum Trouble: Error { case empty, stalled, tooSlow }

    private struct NotStored: Error { let cause: any Error }

    private func keep(
        _ request: ServerRequest,
        as name: UploadName,
        _ digest: String,
        _ draft: UploadDraft,
        _ uploads: UploadService
    ) async throws -> Kept {
        do { try await draft.open() } catch { throw NotStored(cause: error) }
        do {
            try await withDeadline(uploads.timeout, clock: clock) { [clock] in
                try await Self.receive(request, into: draft, uploads, clock: clock)
            }
        } catch is DeadlineExceeded { throw Trouble.tooSlow }
        let kept: Kept?
        do { kept = try await draft.publish(as: name, digest: digest) } catch let error as UploadDraft.NoRoom {
            throw error
        } catch { throw NotStored(cause: error) }
        guard let kept else { throw RequestVerifier.Refusal.unsigned }
        return kept
    }

    /// Reads the body to its end, unless nothing comes for too long.
    private static func receive(
        _ request: ServerRequest,
        into draft: UploadDraft,
        _ uploads: UploadService,
        clock: any Clock<Duration>
    ) async throws {
        let chunks = ChunkCount()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var count: Int64 = 0
                for try await chunk in request.body {
                    count += Int64(chunk.count)
                    guard count <= uploads.limitBytes else { throw RequestVerifier.Refusal.tooLarge }
                    chunks.add()
                    do { try await draft.append(chunk) } catch let error as UploadDraft.NoRoom {
                        throw error
                    } catch { throw NotStored(cause: error) }
                }
                guard count > 0 else { throw Trouble.empty }
            }
            group.addTask {
                var seen = -1
                while case let now = chunks.value, now != seen {
                    seen = now
                    try await clock.sleep(for: uploads.idleTimeout)
                }
                throw Trouble.stalled
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func refusal(of error: any Error) throws -> ServerResponse {
        switch error {
        case RequestVerifier.Refusal.tooLarge: return Self.unread(.contentTooLarge, "file too large")
        case is UploadDraft.NoRoom: return Self.noRoom
        case Trouble.empty: return .failure(.badRequest, "empty body")
        case Trouble.stalled, Trouble.tooSlow: return Self.unread(.requestTimeout, "body too slow")
        case let error as NotStored: return notKept(error.cause)
        default: throw error
        }
    }

    private func notKept(_ error: any Error) -> ServerResponse {
        report(ServerError(.storeFailed, "An uploaded file could not be kept.", cause: error))
        return Self.unread(.internalServerError, "not kept")
    }

    private static let noRoom = unread(HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "no room")

    /// An answer before the end of the body: the connection is of no use for another request.
    private static func unread(_ status: HTTPResponse.Status, _ text: String) -> ServerResponse {
        .failure(status, text, headerFields: [.connection: "close"])
    }
}

/// How many chunks came.
private final class ChunkCount: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock(\.self) }
    func add() { count.withLock { $0 += 1 } }
}
