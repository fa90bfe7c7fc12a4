// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTransport

/// Whether `claude` can reach its service with what is in the environment: it starts without, and then answers nothing.
enum ClaudeAccount {
    /// Why it cannot be used, for a person; `nil` where nothing speaks against it.
    static func problem(_ variables: [String: String]) async throws -> String? {
        let token = variables["ANTHROPIC_AUTH_TOKEN"] ?? variables["CLAUDE_CODE_OAUTH_TOKEN"]
        guard variables["ANTHROPIC_API_KEY"] ?? token != nil else {
            return "nothing in the environment logs it in (see ANTHROPIC_API_KEY)"
        }
        let address = variables["ANTHROPIC_BASE_URL"] ?? "https://api.anthropic.com"
        var request = try HTTPBaseURL(address).request(.get, "/v1/models")
        if let key = variables["ANTHROPIC_API_KEY"], let name = HTTPField.Name("x-api-key") {
            request.headerFields[name] = key
        } else if let token {
            request.headerFields[.authorization] = "Bearer \(token)"
        }
        if let name = HTTPField.Name("anthropic-version") { request.headerFields[name] = "2023-06-01" }
        return try await AsyncHTTPTransport.withTransport { [request] http in
            let deadlines = HTTPDeadlines(connect: .seconds(3), idle: .seconds(5), total: .seconds(8))
            do {
                let status = try await http.send(request, body: .none, deadlines: deadlines).head.status.code
                return [401, 403].contains(status) ? "its service refuses the login (\(status))" : nil
            } catch let error as TransportError {
                return "its service cannot be reached (\(error.stableCode))"
            }
        }
    }
}
