// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension ChatGateway {
    /// Sends a request, and reads an answer of success.
    ///
    /// - Throws: ``GatewayError``, as for the statuses; `CancellationError`.
    func success(
        _ request: HTTPRequest,
        _ body: JSONValue? = nil,
        within time: Duration
    ) async throws -> HTTPAnswer {
        var request = request
        var content = HTTPBody.none
        if let body {
            request.headerFields[.contentType] = "application/json"
            content = .bytes(body.bytes())
        }
        request.headerFields[.accept] = "application/json"
        let answer = try await answer(to: request, content, within: time)
        guard answer.head.status.kind == .successful else {
            throw GatewayError(refusal: answer.head, body: answer.body, to: request)
        }
        return answer
    }

    /// Asks what the gateway has.
    ///
    /// - Returns: What it tells; `nil` where it does not know the question.
    /// - Throws: ``GatewayError``; `CancellationError`.
    func told(_ path: String) async throws -> JSONValue? {
        do {
            return try json(of: try await success(try request(.get, path), within: timing.question))
        } catch let error as GatewayError where error.code == .unsupported {
            return nil
        }
    }

    /// Lets the gateway do something.
    ///
    /// - Returns: What it says of it; `nil` where it says nothing, as one that has done it may.
    /// - Throws: ``GatewayError``, `unsupported` where it does not know the address; `CancellationError`.
    func done(_ path: String, _ body: JSONValue, in session: GatewaySession? = nil) async throws -> JSONValue? {
        let answer = try await success(try request(.post, path, session: session), body, within: timing.question)
        return answer.body.isEmpty ? nil : try json(of: answer)
    }

    /// The JSON of an answer of success. Its type decides what it is, and not whether it can be read: hosts answer with
    /// their page where they do not know an address.
    ///
    /// - Throws: ``GatewayError``: `unsupported` where it is something else, `answerMalformed` where it cannot be read.
    func json(of answer: HTTPAnswer) throws(GatewayError) -> JSONValue {
        guard Self.isJSON(answer.mediaType) else {
            let message = "The gateway at \(configuration.server) does not offer this: it answers with something else."
            throw GatewayError(.unsupported, message)
        }
        do {
            return try JSONValue(parsing: answer.body)
        } catch {
            let message = "The gateway at \(configuration.server) answered with JSON that cannot be read; try again."
            throw GatewayError(.answerMalformed, message, recovery: .retry, cause: error)
        }
    }

    func malformed(_ what: String) -> GatewayError {
        GatewayError(.answerMalformed, "The gateway at \(configuration.server) told \(what) in an unknown form.")
    }

    private static func isJSON(_ mediaType: String) -> Bool {
        ["application/json", "text/json"].contains(mediaType) || mediaType.hasSuffix("+json")
    }
}

extension GatewayError {
    /// Returns the error of a gateway that has not done what it was asked.
    static func refused(_ what: String, _ problem: GatewayProblem?) -> GatewayError {
        let words = problem.map { " It says: \($0.phrase)" } ?? ""
        return GatewayError(.requestRefused, "The gateway \(what).\(words)", answer: problem)
    }
}
