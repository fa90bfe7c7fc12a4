// Riff
// SPDX-License-Identifier: Apache-2.0

/// The link reference definitions that are known. The first of a label counts.
struct LinkDefinitions: Sendable {
    private var definitions: [LinkLabel: LinkDefinition] = [:]
    /// How many bytes of destinations and titles references have stood for.
    private var expanded = 0
    /// How many they may: a long destination and many short references to it must not make megabytes of each kilobyte.
    var budget = Self.leastBudget

    /// What even a short text may expand to.
    static let leastBudget = 100_000

    /// Notes a definition.
    ///
    /// - Returns: Whether the label was unknown.
    mutating func add(_ definition: LinkDefinition) -> Bool {
        let entry = definitions[definition.label]
        if entry == nil { definitions[definition.label] = definition }
        return entry == nil
    }

    func holds(_ label: LinkLabel) -> Bool { definitions[label] != nil }

    /// What a reference stands for; nil if it is not defined, or if the budget is used up.
    mutating func resolve(_ label: LinkLabel) -> LinkDefinition? {
        guard let definition = definitions[label] else { return nil }
        let size = definition.destination.count + definition.title.count
        guard expanded + size <= budget else { return nil }
        expanded += size
        return definition
    }
}
