// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A request to let a user in (RFC 4252 section 5).
package struct SSHAuthenticationRequest: SSHMessage {
    package static let number: UInt8 = 50
    package var user: String
    package var method: Method

    package enum Method: Sendable {
        case none
        case password([UInt8], replacement: [UInt8]?)
        /// Without a signature it asks whether the key would do.
        case publicKey(algorithm: String, blob: [UInt8], signature: [UInt8]?)
        case keyboardInteractive
        /// A method that this engine does not have.
        case other(String)
    }

    package init(user: String, method: Method) {
        self.user = user
        self.method = method
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        user = try reader.readText()
        guard try reader.readName() == SSHService.connection else { throw SSHWireReader.malformed }
        switch try reader.readName() {
        case "none": method = .none
        case "password":
            let isChange = try reader.readBool()
            let password = Array(try reader.readString())
            method = .password(password, replacement: isChange ? Array(try reader.readString()) : nil)
        case "publickey":
            let isSigned = try reader.readBool()
            let algorithm = try reader.readName()
            let blob = Array(try reader.readString())
            let signature = isSigned ? Array(try reader.readString()) : nil
            method = .publicKey(algorithm: algorithm, blob: blob, signature: signature)
        case "keyboard-interactive":
            _ = try reader.readString()
            _ = try reader.readString()
            method = .keyboardInteractive
        case let name:
            _ = try reader.readRest()
            method = .other(name)
        }
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: user)
        writer.write(text: SSHService.connection)
        switch method {
        case .none: writer.write(text: "none")
        case .other(let name): writer.write(text: name)
        case .password(let password, let replacement):
            writer.write(text: "password")
            writer.write(bool: replacement != nil)
            writer.write(string: password)
            if let replacement { writer.write(string: replacement) }
        case .publicKey(let algorithm, let blob, let signature):
            writer.write(text: "publickey")
            writer.write(bool: signature != nil)
            writer.write(text: algorithm)
            writer.write(string: blob)
            if let signature { writer.write(string: signature) }
        case .keyboardInteractive:
            writer.write(text: "keyboard-interactive")
            writer.write(text: "")
            writer.write(text: "")
        }
    }

    /// The bytes that a key signs to let its user in (RFC 4252 section 7).
    package static func signedData(
        user: String,
        algorithm: SSHSignatureAlgorithm,
        blob: [UInt8],
        sessionID: [UInt8]
    ) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.write(string: sessionID)
        writer.write(byte: number)
        writer.write(text: user)
        writer.write(text: SSHService.connection)
        writer.write(text: "publickey")
        writer.write(bool: true)
        writer.write(text: algorithm.rawValue)
        writer.write(string: blob)
        return writer.bytes
    }
}

/// The names of the two services.
package enum SSHService {
    package static let authentication = "ssh-userauth"
    package static let connection = "ssh-connection"
}

/// RFC 4252 section 5.1.
package struct SSHAuthenticationFailure: SSHMessage {
    package static let number: UInt8 = 51
    package var methods: [String]
    package var isPartialSuccess: Bool

    package init(methods: [String], isPartialSuccess: Bool) {
        self.methods = methods
        self.isPartialSuccess = isPartialSuccess
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        methods = try reader.readNameList()
        isPartialSuccess = try reader.readBool()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(names: methods)
        writer.write(bool: isPartialSuccess)
    }
}

/// RFC 4252 section 5.1.
package struct SSHAuthenticationSuccess: SSHMessage {
    package static let number: UInt8 = 52

    package init() {}
    package init(reading reader: inout SSHWireReader) throws(CoreError) {}
    package func write(to writer: inout SSHWireWriter) {}
}

/// RFC 4252 section 5.4.
package struct SSHAuthenticationBanner: SSHMessage {
    package static let number: UInt8 = 53
    package var text: String

    package init(text: String) { self.text = text }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        text = try reader.readText()
        // The language; some servers leave it out.
        _ = try reader.readRest()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(text: text)
        writer.write(text: "")
    }
}
