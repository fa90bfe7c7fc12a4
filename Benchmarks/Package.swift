// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "riff-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name: a clone's folder may be called anything.
        .package(name: "riff", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", "4.5.0"..<"5.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.16.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "ssh-bench",
            dependencies: [
                .product(name: "RiffCore", package: "riff"),
                .product(name: "RiffTransport", package: "riff"),
                .product(name: "RiffSessions", package: "riff"),
            ]
        ),
        // Counts what the process allocates.
        .target(name: "CCountedMemory"),
        .executableTarget(
            name: "screen-bench",
            dependencies: [
                "CCountedMemory",
                .product(name: "RiffCore", package: "riff"),
                .product(name: "RiffScreen", package: "riff"),
            ]
        ),
        .executableTarget(
            name: "acp-bench",
            dependencies: [
                .product(name: "RiffACP", package: "riff"),
                .product(name: "RiffCore", package: "riff"),
                .product(name: "RiffTransport", package: "riff"),
            ]
        ),
        .executableTarget(
            name: "data-bench",
            dependencies: [
                .product(name: "RiffCore", package: "riff"), .product(name: "RiffTranscripts", package: "riff"),
            ]
        ),
        .executableTarget(name: "markdown-bench", dependencies: [.product(name: "RiffMarkdown", package: "riff")]),
        .executableTarget(
            name: "stream-bench",
            dependencies: [
                "CCountedMemory",
                .product(name: "RiffTransport", package: "riff"),
                .product(name: "RiffGateway", package: "riff"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "hermes-bench",
            dependencies: [
                .product(name: "RiffCore", package: "riff"),
                .product(name: "RiffHermes", package: "riff"),
                .product(name: "RiffTransport", package: "riff"),
            ]
        ),
        // One of its files is a link: the responder is the one that Examples/ hosts.
        .executableTarget(
            name: "server-bench",
            dependencies: [
                .product(name: "RiffTransport", package: "riff"),
                .product(name: "RiffHTTP", package: "riff"),
                .product(name: "RiffVoice", package: "riff"),
                .product(name: "RiffServer", package: "riff"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        ),
        .executableTarget(
            name: "websocket-bench",
            dependencies: [
                .product(name: "RiffTransport", package: "riff"),
                .product(name: "RiffHTTP", package: "riff"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "hub-bench",
            dependencies: [
                .product(name: "RiffHub", package: "riff"),
                .product(name: "RiffTransport", package: "riff"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "voice-bench",
            dependencies: [.product(name: "RiffVoice", package: "riff")]
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
}
