// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A platform on which the agent answers, such as a messenger, as its gateway wrote it down last.
public struct HermesPlatform: Sendable, Hashable, Identifiable {
    /// The agent's word for it, as sessions have it for their source: `telegram`, `cli`.
    public let id: String
    /// The name that people know: `Telegram`.
    public var name: String { Self.name(of: id) }
    /// The gateway's word for its state, such as `connected`; `nil` if it says nothing.
    public let state: String?
    /// Why it does not work, in the gateway's words.
    public let problem: String?
    /// The time at which the gateway wrote this, in seconds since 1970-01-01 UTC.
    public let updatedAt: Double?

    init?(_ id: String, _ json: JSONValue) {
        guard !id.isEmpty, json.object != nil else { return nil }
        self.id = InertText.line(id)
        state = json["state"]?.text.map(InertText.line)
        problem = json["error_message"]?.text.map { InertText.line(String($0.prefix(500))) }
        updatedAt = json["updated_at"]?.text.flatMap { HermesTime.seconds(of: $0) }
    }

    /// Returns the name that people know for the agent's word; one that is not known is written with a capital.
    public static func name(of id: String) -> String {
        if let name = names[id] { return name }
        let words = InertText.line(id).split { $0 == "_" || $0 == "-" || $0.isWhitespace }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    private static let names = [
        "acp": "ACP", "api_server": "API server", "bluebubbles": "BlueBubbles", "cli": "Command line",
        "dingtalk": "DingTalk", "homeassistant": "Home Assistant", "local": "This host",
        "msgraph_webhook": "Microsoft Graph", "qqbot": "QQ", "sms": "SMS", "tui": "Terminal", "wecom": "WeCom",
        "wecom_callback": "WeCom", "weixin": "WeChat", "whatsapp": "WhatsApp", "whatsapp_cloud": "WhatsApp Cloud",
    ]
}

extension HermesHome {
    /// Reads the platforms of the agent's gateway (`gateway_state.json`), by name.
    ///
    /// - Returns: The platforms as the gateway wrote them down last, also if it does not run any more; none if it never
    ///   ran.
    /// - Throws: ``DataError`` with `fileMalformed` or `fileTooLarge`; the host's own errors.
    public func platforms() async throws -> [HermesPlatform] {
        let file = file("gateway_state.json", limitBytes: 1 << 20)
        let text = try await file.read().text
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        do {
            let members = try JSONValue(parsing: text)["platforms"]?.object ?? [:]
            return members.compactMap { HermesPlatform($0.key, $0.value) }.sorted {
                ($0.name, $0.id) < ($1.name, $1.id)
            }
        } catch {
            throw DataError(.fileMalformed, "\(file.path) is no JSON: it may be written at this moment.", cause: error)
        }
    }
}
