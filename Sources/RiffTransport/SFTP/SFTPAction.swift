// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// An operation and the path that it was tried on, by which an answer of the server becomes an error a person can read.
struct SFTPAction {
    private let verb: String
    private let path: String

    init(_ verb: String, _ path: String) {
        self.verb = verb
        self.path = path
    }

    func expectOK(_ response: SFTPResponse) throws(TransportError) {
        guard case .status(let status) = response, status.code == .ok else { throw error(for: response) }
    }

    /// The error for an answer that is not the one wanted.
    func error(for response: SFTPResponse) -> TransportError {
        guard case .status(let status) = response, status.code != .ok else {
            return TransportError(
                .sftpMalformed,
                "The host's file service gave an answer of the wrong kind when asked to \(verb) \(path)."
            )
        }
        switch status.code {
        case .noSuchFile: return TransportError(.fileNotFound, "The host cannot \(verb) \(path): nothing is there.")
        case .permissionDenied:
            return TransportError(.permissionDenied, "The host cannot \(verb) \(path): the account may not do that.")
        case .unsupported: return unsupported(InertText.quote(status.words))
        case .noConnection, .connectionLost:
            return TransportError(.connectionLost, "The host lost its own connection when asked to \(verb) \(path).")
        default:
            let said = InertText.quote(status.words)
            let words = said.isEmpty ? "status \(status.code.rawValue)" : said
            return TransportError(.fileFailed, "The host cannot \(verb) \(path); it says: \(words)")
        }
    }

    func exists() -> TransportError {
        TransportError(.fileExists, "The host cannot \(verb) \(path): something is there already.")
    }

    /// A name that leads somewhere else once it is put behind its directory's.
    func strangeName(_ name: String) -> TransportError {
        let shown = InertText.quote(name, limitBytes: 100)
        return TransportError(
            .sftpMalformed,
            "The host's file service gave a name that no file has when asked to \(verb) \(path): \"\(shown)\"."
        )
    }

    func tooMany(_ limit: Int) -> TransportError {
        TransportError(.fileFailed, "The host cannot \(verb) \(path): it holds more than \(limit) names.")
    }

    func unsupported(_ words: String) -> TransportError {
        TransportError(.fileUnsupported, "The host's file service has no way to \(verb) \(path). \(words)")
    }
}

extension SFTPResponse.Name {
    /// Whether it can be the name of a file in a directory. Bytes decide: a slash followed by an accent is no slash to
    /// a comparison of characters.
    var isFileName: Bool { !name.isEmpty && !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) }
}

extension SFTPResponse {
    var isEndOfFile: Bool {
        if case .status(let status) = self { status.code == .endOfFile } else { false }
    }

    /// The one code version 3 has for everything else.
    var isFailure: Bool {
        if case .status(let status) = self { status.code == .failure } else { false }
    }
}

extension TransportErrorCode {
    /// The host's file service cannot do that at all.
    public static let fileUnsupported = TransportError.Code(rawValue: "fileUnsupported")
}
