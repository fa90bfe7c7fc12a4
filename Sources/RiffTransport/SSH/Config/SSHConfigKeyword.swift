// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is done about a keyword of ssh_config(5).
enum SSHConfigKeyword: Sendable, Hashable {
    /// It is followed.
    case followed(Followed)
    /// It begins a part of the file, or reads another one.
    case structure(Structure)
    /// It changes neither where a connection leads nor who is let in: it is passed over.
    case passedOver
    /// It would have to be followed, and is not.
    case refused

    enum Followed: String, Sendable {
        case hostName = "hostname"
        case user, port
        case identityFile = "identityfile"
        case identitiesOnly = "identitiesonly"
        case identityAgent = "identityagent"
        case proxyJump = "proxyjump"
        case proxyCommand = "proxycommand"
        case userKnownHostsFile = "userknownhostsfile"
        case hostKeyAlias = "hostkeyalias"
    }

    enum Structure: String, Sendable {
        case host, match, include
        case ignoreUnknown = "ignoreunknown"
    }

    /// - Parameter keyword: In lower case.
    init(_ keyword: String) {
        if let followed = Followed(rawValue: keyword) {
            self = .followed(followed)
        } else if let structure = Structure(rawValue: keyword) {
            self = .structure(structure)
        } else {
            self = Self.harmless.contains(keyword) ? .passedOver : .refused
        }
    }

    /// The keywords that change nothing that matters here: how long, how often, how fast, how loud; the use that `ssh`
    /// makes of its own terminal, tunnels and control socket; and keywords that Riff is stricter in.
    private static let harmless: Set<String> = [
        "addkeystoagent", "addressfamily", "batchmode", "casignaturealgorithms", "challengeresponseauthentication",
        "checkhostip", "clearallforwardings", "compression", "compressionlevel", "connectionattempts", "connecttimeout",
        "controlmaster", "controlpath", "controlpersist", "dynamicforward", "enableescapecommandline",
        "enablesshkeysign", "escapechar", "exitonforwardfailure", "fingerprinthash", "forkafterauthentication",
        "forwardagent", "forwardx11", "forwardx11timeout", "forwardx11trusted", "gatewayports", "globalknownhostsfile",
        "gssapiauthentication", "gssapidelegatecredentials", "hashknownhosts", "ipqos", "kbdinteractiveauthentication",
        "kbdinteractivedevices", "keepalive", "localcommand", "localforward", "loglevel", "logverbose",
        "nohostauthenticationforlocalhost", "numberofpasswordprompts", "obscurekeystroketiming",
        "passwordauthentication", "permitlocalcommand", "permitremoteopen", "preferredauthentications",
        "pubkeyauthentication", "rekeylimit", "remotecommand", "remoteforward", "requesttty", "sendenv",
        "serveralivecountmax", "serveraliveinterval", "sessiontype", "setenv", "stdinnull", "streamlocalbindmask",
        "streamlocalbindunlink", "stricthostkeychecking", "syslogfacility", "tcpkeepalive", "tunnel", "tunneldevice",
        "updatehostkeys", "usekeychain", "verifyhostkeydns", "visualhostkey", "warnweakcrypto", "xauthlocation",
    ]
}
