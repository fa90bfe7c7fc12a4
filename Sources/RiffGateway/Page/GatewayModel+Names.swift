// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension GatewayModel {
    /// The model that a person means: by its id, by a name that the gateway gives it, by its id without the provider,
    /// or by a part that only one id has. Letter case does not count.
    package static func find(_ name: String, in models: [GatewayModel]) -> GatewayModel? {
        let wanted = name.lowercased().filter { !$0.isWhitespace }
        guard !wanted.isEmpty else { return nil }
        let ways: [(GatewayModel) -> Bool] = [
            { $0.id == name },
            { $0.id.lowercased() == wanted },
            { $0.aliases.contains { $0.lowercased() == wanted } },
            { bare($0.id) == wanted },
            { bare($0.id).utf8.contains(Array(wanted.utf8)) },
        ]
        for isMeant in ways {
            let found = models.filter(isMeant)
            if found.count == 1 { return found[0] }
            // Two that are meant are none: a person chooses.
            if found.count > 1 { return nil }
        }
        return nil
    }

    /// Returns whether a model that answered is the one that was asked for: gateways leave out the provider, and name
    /// the version after a name that means the newest one.
    package static func isSame(_ asked: String, _ answered: String) -> Bool {
        var (one, other) = (bare(asked), bare(answered))
        if one == other { return true }
        if one.hasSuffix(bytes: "-latest") { one = String(one.dropLast("-latest".count)) }
        if other.hasSuffix(bytes: "-latest") { other = String(other.dropLast("-latest".count)) }
        let (short, long) = one.utf8.count < other.utf8.count ? (one, other) : (other, one)
        guard long.hasPrefix(bytes: short) else { return false }
        let rest = long.utf8.dropFirst(short.utf8.count)
        // `-2024-08-06`, `@20250929`, `:latest`: a version, not another model.
        guard let mark = rest.first else { return true }
        let version = rest.dropFirst()
        switch mark {
        case UInt8(ascii: "-"), UInt8(ascii: "@"):
            let digits = version.count { (0x30...0x39).contains($0) }
            return digits >= 4 && version.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        case UInt8(ascii: ":"): return version.elementsEqual("latest".utf8)
        default: return false
        }
    }

    /// Returns an id without the part before its last slash, in lower case.
    private static func bare(_ id: String) -> String {
        let bytes = id.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        return id[start...].lowercased()
    }
}

extension GatewayModel.Probe {
    /// The sentence that says that another model answers; `nil` if the one that was asked for does, or that is not
    /// known.
    public var warning: String? {
        guard isMismatch, let answered else { return nil }
        let name = (asked: InertText.line(asked), answered: InertText.line(answered))
        return InertText.message("\(name.asked) was asked for, and \(name.answered) answers: the gateway routes it so.")
    }
}
