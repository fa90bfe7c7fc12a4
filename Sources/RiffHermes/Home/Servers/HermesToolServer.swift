// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A server of tools (Model Context Protocol) that the configuration names: what another agent needs to use it as well.
public struct HermesToolServer: Sendable, Hashable, Identifiable {
    /// The ways to reach it.
    public enum Way: Sendable, Hashable {
        /// A program that the agent starts and talks to by its input and output.
        case program(String, arguments: [String], environment: [String: Secret])
        /// An address that speaks the protocol over HTTP, with the header fields that it wants.
        case address(String, headerFields: [String: Secret])
    }

    /// The name, by which the configuration has it.
    public let id: String
    /// The way to reach it.
    public let way: Way
    /// Whether the agent uses it.
    public let isEnabled: Bool

    /// Reads an entry of `mcp_servers`; `nil` for one with neither a program nor an address.
    init?(_ name: String, _ json: JSONValue) {
        func secrets(_ member: String) -> [String: Secret] {
            let members = json[member]?.object ?? [:]
            let pairs = members.compactMap { member in member.value.scalarText.map { (member.key, Secret($0)) } }
            return Dictionary(pairs) { _, last in last }
        }
        if let program = json["command"]?.text, !program.isEmpty {
            let arguments = json["args"]?.array?.compactMap(\.scalarText) ?? []
            way = .program(program, arguments: arguments, environment: secrets("env"))
        } else if let address = json["url"]?.text, !address.isEmpty {
            way = .address(address, headerFields: secrets("headers"))
        } else {
            return nil
        }
        id = name
        isEnabled = json["enabled"]?.bool ?? true
    }
}

extension HermesConfig {
    /// The servers of tools (`mcp_servers`), by name. Their secrets may be references to variables of the host, such as
    /// `${TOKEN}`, which only the agent fills in.
    public var toolServers: [HermesToolServer] {
        (self["mcp_servers"]?.object ?? [:]).compactMap { HermesToolServer($0.key, $0.value) }.sorted { $0.id < $1.id }
    }
}

extension JSONValue {
    /// A text, or what YAML took for a number or a truth, as it is passed to a program.
    fileprivate var scalarText: String? {
        if let text { return text }
        if let integer { return String(integer) }
        if let double { return String(double) }
        return bool.map { $0 ? "true" : "false" }
    }
}
