// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One JSON-RPC message, classified once; what it holds is read by whom it concerns.
enum ACPMessage: Sendable {
    case request(ACP.RequestID, method: String, params: JSONValue)
    case notification(method: String, params: JSONValue)
    case response(ACP.RequestID, Result<JSONValue, ACP.RPCError>)

    /// Classifies an object; `nil` where it is none of the three.
    init?(json: JSONValue) {
        guard case .object(let object) = json else { return nil }
        let id = object["id"].map(ACP.RequestID.init(json:))
        if let method = object["method"]?.text {
            let params = object["params"] ?? .null
            self =
                id.map { .request($0, method: method, params: params) } ?? .notification(method: method, params: params)
        } else if let id, let error = object["error"], error != .null {
            self = .response(id, .failure(ACPMessage.error(error)))
        } else if let id, let result = object["result"] {
            self = .response(id, .success(result))
        } else {
            return nil
        }
    }

    /// An error however badly it is formed: that something failed must not be lost.
    private static func error(_ json: JSONValue) -> ACP.RPCError {
        do { return try ACP.RPCError(json: json) } catch {
            return ACP.RPCError(
                code: json["code"]?.integer.map { ACP.ErrorCode(rawValue: Int($0)) } ?? .internalError,
                message: json["message"]?.text ?? json.text ?? "an error without words",
                data: json
            )
        }
    }

    /// The message as a line, with its end.
    var line: [UInt8] {
        var object = JSONObject()
        object.append("jsonrpc", "2.0")
        switch self {
        case .request(let id, let method, let params):
            object.append("id", id.json)
            object.append("method", .string(method))
            object.append("params", params)
        case .notification(let method, let params):
            object.append("method", .string(method))
            object.append("params", params)
        case .response(let id, .success(let result)):
            object.append("id", id.json)
            object.append("result", result)
        case .response(let id, .failure(let error)):
            object.append("id", id.json)
            object.append("error", error.json)
        }
        var line = JSONValue.object(object).bytes()
        line.append(0x0A)
        return line
    }
}
