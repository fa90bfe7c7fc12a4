// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension HubService {
    /// The settings: `GET /api/settings`. Another client's changes are seen only by asking again.
    ///
    /// - Throws: ``HubError``; `generationUnsupported` where the hub is of the newest kind; `CancellationError`.
    public func settings() async throws -> HubSettings {
        do {
            let answer = try await success(.get, "/api/settings", what: "the settings")
            return try settings(try json(of: answer, "the settings"))
        } catch let error as HubError where error.code == .unsupported {
            if try await isChat() { throw HubError.tooNew }
            throw error
        }
    }

    /// Changes some settings, and leaves the others as they are.
    ///
    /// - Returns: All settings after it.
    /// - Throws: ``HubError``; `CancellationError`.
    @discardableResult
    public func change(_ change: HubSettings.Change) async throws -> HubSettings {
        let answer = try await success(.put, "/api/settings", change.json, what: "other settings")
        return try settings(try json(of: answer, "the settings"))
    }

    /// Returns the agents' usage; `nil` if the hub does not report it.
    ///
    /// - Throws: ``HubError``; `CancellationError`.
    public func usage() async throws -> JSONObject? {
        do {
            return try json(of: try await success(.get, "/api/usage", what: "the usage"), "the usage").object
        } catch let error as HubError where error.code == .unsupported {
            return nil
        }
    }

    /// Whether the newest kind of hub answers, whose protocol is another one.
    func isChat() async throws -> Bool {
        do {
            let answer = try await success(.get, "/api/voice/settings", what: "the newer settings")
            return try json(of: answer, "the newer settings").object != nil
        } catch let error as HubError where error.code == .unsupported {
            return false
        }
    }

    private func settings(_ json: JSONValue) throws(HubError) -> HubSettings {
        guard let object = json.object else { throw .malformed("the settings") }
        return HubSettings(json: object)
    }
}
