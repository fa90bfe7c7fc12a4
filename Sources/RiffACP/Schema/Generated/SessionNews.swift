// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `AvailableCommandsUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#availablecommandsupdate>
    public struct AvailableCommandsUpdate: JSONRecord {
        /// The member `availableCommands`, which must be there; elements that cannot be read are left out.
        public var availableCommands: [AvailableCommand]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(availableCommands: [AvailableCommand], meta: JSONObject? = nil) {
            self.availableCommands = availableCommands
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            availableCommands = try members.requiredList("availableCommands")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("availableCommands", availableCommands)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `CurrentModeUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#currentmodeupdate>
    public struct CurrentModeUpdate: JSONRecord {
        /// The member `currentModeId`, which must be there.
        public var currentModeID: SessionModeID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(currentModeID: SessionModeID, meta: JSONObject? = nil) {
            self.currentModeID = currentModeID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            currentModeID = try members.required("currentModeId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("currentModeId", currentModeID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ConfigOptionUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#configoptionupdate>
    public struct ConfigOptionUpdate: JSONRecord {
        /// The member `configOptions`, which must be there; elements that cannot be read are left out.
        public var configOptions: [SessionConfigOption]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(configOptions: [SessionConfigOption], meta: JSONObject? = nil) {
            self.configOptions = configOptions
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            configOptions = try members.requiredList("configOptions")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("configOptions", configOptions)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionInfoUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessioninfoupdate>
    public struct SessionInfoUpdate: JSONRecord {
        /// What becomes of `title`.
        public var title: Patch<String>
        /// What becomes of `updatedAt`.
        public var updatedAt: Patch<String>
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(title: Patch<String> = .keep, updatedAt: Patch<String> = .keep, meta: JSONObject? = nil) {
            self.title = title
            self.updatedAt = updatedAt
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            title = members.patch("title")
            updatedAt = members.patch("updatedAt")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("title", title)
            object.write("updatedAt", updatedAt)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Cost` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#cost>
    public struct Cost: JSONRecord {
        /// The member `amount`, which must be there.
        public var amount: Double
        /// The member `currency`, which must be there.
        public var currency: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(amount: Double, currency: String, meta: JSONObject? = nil) {
            self.amount = amount
            self.currency = currency
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            amount = try members.required("amount")
            currency = try members.required("currency")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("amount", amount)
            object.write("currency", currency)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `UsageUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#usageupdate>
    public struct UsageUpdate: JSONRecord {
        /// The member `used`, which must be there.
        public var used: UInt64
        /// The member `size`, which must be there.
        public var size: UInt64
        /// The member `cost`; `nil` where it is absent, null or not readable.
        public var cost: Cost?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(used: UInt64, size: UInt64, cost: Cost? = nil, meta: JSONObject? = nil) {
            self.used = used
            self.size = size
            self.cost = cost
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            used = try members.required("used")
            size = try members.required("size")
            cost = members.lenient("cost")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("used", used)
            object.write("size", size)
            object.write("cost", cost)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}
