// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

// One after the other, on the queue of the exchange.
extension URLSessionExchange: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        answered(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard end.current == nil else { return }
        do {
            try inflow.receive(data)
        } catch {
            end.resolve(.failure(error))
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        watch.connected()
    }

    /// Refuses to follow a redirect, which is an answer: its receiver knows what another origin may see.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        watch.connected()
        switch trust.verdict(on: challenge) {
        case .withoutCredential: completionHandler(.rejectProtectionSpace, nil)
        case .alreadyAnswered:
            ended()
            completionHandler(.cancelAuthenticationChallenge, nil)
        case .asTheSystemSays: completionHandler(.performDefaultHandling, nil)
        case .trusted(let credential): completionHandler(.useCredential, credential)
        case .refused(let reason):
            end.resolve(.failure(TransportError(.tlsFailed, "\(request.logLine): \(reason).")))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return failed(error) }
        // On Linux a redirect without a location is told nowhere else.
        if let response = task.response { answered(response) }
        ended()
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { invalidated() }

    private func ended() {
        guard inflow.isComplete else {
            let message = "\(request.logLine): the connection ended inside the answer."
            return _ = end.resolve(.failure(TransportError(.connectionLost, message, recovery: .retry)))
        }
        end.resolve(.success(()))
    }

    private func answered(_ response: URLResponse) {
        guard head.current == nil, let response = response as? HTTPURLResponse else { return }
        watch.connected()
        let (head, bodyBytes) = HTTPResponse.reading(response, of: request)
        inflow.expect(bodyBytes ?? 0)
        self.head.resolve(.success(head))
    }

    private func failed(_ error: any Error) {
        let isAnswered = head.current != nil
        let error = TransportError(urlSession: error, request: request, isConnected: watch.isConnected, isAnswered)
        end.resolve(.failure(error))
    }
}
#endif
