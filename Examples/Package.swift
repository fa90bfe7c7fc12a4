// swift-tools-version: 6.2

import PackageDescription

let riff = "riff"
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "riff-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name: a clone's folder may be called anything.
        .package(name: riff, path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.16.0", traits: []),
    ],
    targets: [
        // What the examples that a person works with in a terminal have in common.
        .target(
            name: "ExampleTerminal",
            dependencies: [
                arguments,
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffSessions", package: riff),
                .product(name: "RiffVoice", package: riff),
            ]
        ),
        // What a front end keeps for itself: no view, no clock, no gesture recognizer.
        .target(name: "ExampleFrontEnd", dependencies: [.product(name: "RiffCore", package: riff)]),
        .executableTarget(
            name: "riff-demo",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffSessions", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffTalk", package: riff),
                .product(name: "RiffTesting", package: riff),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "riff-server",
            dependencies: [
                arguments, "ExampleFrontEnd", "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffServer", package: riff),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),
        .executableTarget(
            name: "riff-acp",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffACP", package: riff),
            ]
        ),
        // The reference front end: a host's sessions in a terminal, with what an app may use and no more.
        .executableTarget(
            name: "riff-term",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffAgents", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffSessions", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffTalk", package: riff),
                .product(name: "RiffTranscripts", package: riff),
            ]
        ),
        // Hands-free: speech in, an agent's session, speech out.
        .executableTarget(
            name: "riff-talk",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffAgents", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffSessions", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffTalk", package: riff),
            ]
        ),
        // A chat with a model behind a gateway, or with an agent.
        .executableTarget(
            name: "riff-chat",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffACP", package: riff),
                .product(name: "RiffGateway", package: riff),
                .product(name: "RiffMarkdown", package: riff),
            ]
        ),
        // A voice hub's grid of agents.
        .executableTarget(
            name: "riff-hub",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffHub", package: riff),
            ]
        ),
        // What an agent of Hermes' kind did, here or on a host.
        .executableTarget(
            name: "hermes-dash",
            dependencies: [
                arguments, "ExampleTerminal",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHermes", package: riff),
            ]
        ),
        // Cases on standard input, for comparison with other implementations.
        .executableTarget(
            name: "Conformance",
            dependencies: [
                arguments,
                .product(name: "RiffAgents", package: riff),
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffGateway", package: riff),
                .product(name: "RiffMarkdown", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTesting", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "riff-soak",
            dependencies: [
                arguments,
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffSessions", package: riff),
                .product(name: "RiffTesting", package: riff),
            ]
        ),
        // A line-editing terminal program that stands in for a coding agent; needs nothing of Riff.
        .executableTarget(
            name: "sample-agent",
            dependencies: [.product(name: "RiffCore", package: riff)]
        ),
        // A person in front of a terminal, for the tests.
        .target(
            name: "ExampleTesting",
            dependencies: [
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
            ],
            path: "Tests/ExampleTesting"
        ),
        .testTarget(
            name: "ExampleFrontEndTests",
            dependencies: ["ExampleFrontEnd", .product(name: "RiffCore", package: riff)]
        ),
        .testTarget(name: "SampleAgentTests", dependencies: ["sample-agent"]),
        .testTarget(name: "RiffSoakTests", dependencies: ["riff-soak"]),
        .testTarget(
            name: "RiffTermTests",
            dependencies: [
                "riff-term", "sample-agent", "ExampleTerminal", "ExampleTesting",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffTesting", package: riff),
            ]
        ),
        .testTarget(
            name: "RiffTalkExampleTests",
            dependencies: [
                "riff-talk", "ExampleTerminal", "ExampleTesting",
                .product(name: "RiffAgents", package: riff),
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffTesting", package: riff),
            ]
        ),
        .testTarget(
            name: "RiffChatTests",
            dependencies: [
                "riff-chat", "ExampleTerminal", "ExampleTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "RiffACP", package: riff),
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffMarkdown", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffTesting", package: riff),
            ]
        ),
        .testTarget(
            name: "RiffHubExampleTests",
            dependencies: [
                "riff-hub", "ExampleTerminal", "ExampleTesting",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffHub", package: riff),
                .product(name: "RiffTesting", package: riff),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "HermesDashTests",
            dependencies: [
                "hermes-dash", "ExampleTerminal", "ExampleTesting",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffScreen", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHermes", package: riff),
                .product(name: "RiffTesting", package: riff),
            ]
        ),
        .testTarget(
            name: "RiffServerExampleTests",
            dependencies: [
                "riff-server", "ExampleTerminal", "ExampleTesting",
                .product(name: "RiffCore", package: riff),
                .product(name: "RiffTransport", package: riff),
                .product(name: "RiffHTTP", package: riff),
                .product(name: "RiffVoice", package: riff),
                .product(name: "RiffTesting", package: riff),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "RiffACPExampleTests",
            dependencies: [
                "riff-acp", "ExampleTesting",
                .product(name: "RiffACP", package: riff),
                .product(name: "RiffTransport", package: riff),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
    // Each batch of a module reads all of it: one batch takes two thirds of the time.
    if target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-j1"])) }
    // The toolchain's own linker, which takes half the time of the system's.
    if target.type == .test || target.type == .executable {
        target.linkerSettings = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
    }
}
