// Riff
// SPDX-License-Identifier: Apache-2.0

/// Offers and answers of permessage-deflate (RFC 7692 section 7.1).
package enum WebSocketExtensions {
    private static let name = "permessage-deflate"

    /// Returns the extensions that a client offers.
    package static func offer(_ compression: WebSocketRequest.Compression) -> String {
        var parts = [name]
        if compression.serverNoContextTakeover { parts.append("server_no_context_takeover") }
        if compression.clientNoContextTakeover { parts.append("client_no_context_takeover") }
        if compression.serverMaxWindowBits < 15 {
            parts.append("server_max_window_bits=\(compression.serverMaxWindowBits)")
        }
        // Without a value: the server may ask for any window (RFC 7692 section 7.1.2.2).
        let bits = compression.clientMaxWindowBits
        parts.append(bits < 15 ? "client_max_window_bits=\(bits)" : "client_max_window_bits")
        return parts.joined(separator: "; ")
    }

    /// Reads a server's answer.
    ///
    /// - Parameters:
    ///   - values: The values of its `Sec-WebSocket-Extensions` fields.
    ///   - offer: What was offered.
    /// - Returns: The agreement; `nil` where the server wants no extension.
    /// - Throws: A violation with 1010 where the answer is not one to the offer.
    package static func agreement(
        _ values: [String],
        offer: WebSocketRequest.Compression?
    ) throws(WebSocketViolation) -> WebSocketDeflateAgreement? {
        let answers = parse(values)
        guard !answers.isEmpty else { return nil }
        guard let offer, answers.count == 1, answers[0].name == name else {
            throw WebSocketViolation(.missingExtension, "an extension that was not offered")
        }
        var agreement = WebSocketDeflateAgreement()
        agreement.clientNoContextTakeover = offer.clientNoContextTakeover
        agreement.clientMaxWindowBits = offer.clientMaxWindowBits
        agreement.minimumBytes = offer.minimumBytes
        var seen: Set<String> = []
        for (key, value) in answers[0].parameters {
            let isNew = seen.insert(key).inserted
            switch key {
            case "server_no_context_takeover" where value == nil && isNew: agreement.serverNoContextTakeover = true
            case "client_no_context_takeover" where value == nil && isNew: agreement.clientNoContextTakeover = true
            case "server_max_window_bits" where isNew:
                guard let bits = bits(value), bits <= offer.serverMaxWindowBits else { throw Self.wrongAnswer }
                agreement.serverMaxWindowBits = bits
            case "client_max_window_bits" where isNew:
                guard let bits = bits(value), bits <= offer.clientMaxWindowBits else { throw Self.wrongAnswer }
                agreement.clientMaxWindowBits = bits
            default: throw Self.wrongAnswer
            }
        }
        // What was asked for must be granted (RFC 7692 sections 7.1.1.1 and 7.1.2.1).
        guard !offer.serverNoContextTakeover || agreement.serverNoContextTakeover,
            offer.serverMaxWindowBits == 15 || seen.contains("server_max_window_bits")
        else { throw Self.wrongAnswer }
        return agreement
    }

    /// A server's answer to a client's offers: the first that it can take.
    ///
    /// - Parameters:
    ///   - values: The values of the client's `Sec-WebSocket-Extensions` fields.
    ///   - accepting: What the server wants.
    /// - Returns: The answer's value and what it means; `nil` to decline.
    package static func answer(
        _ values: [String],
        accepting: WebSocketRequest.Compression
    ) -> (value: String, agreement: WebSocketDeflateAgreement)? {
        offers: for offer in parse(values) where offer.name == name {
            var agreement = WebSocketDeflateAgreement()
            agreement.minimumBytes = accepting.minimumBytes
            agreement.serverNoContextTakeover = accepting.serverNoContextTakeover
            agreement.clientNoContextTakeover = accepting.clientNoContextTakeover
            agreement.serverMaxWindowBits = accepting.serverMaxWindowBits
            var seen: Set<String> = []
            for (key, value) in offer.parameters {
                guard seen.insert(key).inserted else { continue offers }
                switch key {
                case "server_no_context_takeover" where value == nil: agreement.serverNoContextTakeover = true
                case "client_no_context_takeover" where value == nil: agreement.clientNoContextTakeover = true
                case "server_max_window_bits":
                    // zlib cannot write a raw window of 8.
                    guard let bits = bits(value), bits >= 9 else { continue offers }
                    agreement.serverMaxWindowBits = min(agreement.serverMaxWindowBits, bits)
                case "client_max_window_bits":
                    guard value == nil || bits(value) != nil else { continue offers }
                    agreement.clientMaxWindowBits = min(accepting.clientMaxWindowBits, bits(value) ?? 15)
                default: continue offers
                }
            }
            // A client that did not say that it knows the parameter must not be given it.
            guard seen.contains("client_max_window_bits") || accepting.clientMaxWindowBits == 15 else { continue }
            var parts = [name]
            if agreement.serverNoContextTakeover { parts.append("server_no_context_takeover") }
            if agreement.clientNoContextTakeover { parts.append("client_no_context_takeover") }
            if agreement.serverMaxWindowBits < 15 || seen.contains("server_max_window_bits") {
                parts.append("server_max_window_bits=\(agreement.serverMaxWindowBits)")
            }
            if agreement.clientMaxWindowBits < 15 {
                parts.append("client_max_window_bits=\(agreement.clientMaxWindowBits)")
            }
            return (parts.joined(separator: "; "), agreement)
        }
        return nil
    }

    private static let wrongAnswer = WebSocketViolation(
        .missingExtension,
        "an answer about compression that does not fit the offer"
    )

    private static func bits(_ value: String?) -> Int? {
        guard let value, !value.hasPrefix("0"), let bits = Int(value), (8...15).contains(bits) else { return nil }
        return bits
    }

    /// RFC 6455 section 9.1; a value may be quoted.
    private static func parse(_ values: [String]) -> [(name: String, parameters: [(String, String?)])] {
        values.flatMap { $0.split(separator: ",") }.compactMap { item in
            let parts = item.split(separator: ";").map { trim($0) }
            guard let name = parts.first, !name.isEmpty else { return nil }
            let parameters = parts.dropFirst().map { part -> (String, String?) in
                guard let equals = part.firstIndex(of: "=") else { return (part.lowercased(), nil) }
                var value = trim(part[part.index(after: equals)...])
                if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                    value = String(value.dropFirst().dropLast())
                }
                return (trim(part[..<equals]).lowercased(), value)
            }
            return (name.lowercased(), Array(parameters))
        }
    }

    private static func trim(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
