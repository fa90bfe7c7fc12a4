// swift-tools-version: 6.2

import PackageDescription

/// One program for each thing that is fuzzed, with the products that it reads with. Its corpus is Corpus/NAME.
let harnesses = [
    "acp": ["RiffACP", "RiffCore"],
    "acp-client": ["RiffACP", "RiffCore", "RiffTesting", "RiffTransport"],
    "chat": ["HTTPTypes", "RiffCore", "RiffGateway", "RiffTransport"],
    "deflate": ["RiffCore", "RiffDeflate"],
    "hub": ["RiffHub"],
    "markdown": ["RiffMarkdown"],
    "screen": ["RiffCore", "RiffScreen"],
    "sse": ["RiffCore", "RiffTransport"],
    "websocket": ["RiffTransport"],
]

let package = Package(
    name: "riff-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name: a clone's folder may be called anything.
        .package(name: "riff", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    ],
    targets: harnesses.map { name, products in
        .executableTarget(
            name: "\(name)-fuzz",
            dependencies: products.map {
                .product(name: $0, package: $0 == "HTTPTypes" ? "swift-http-types" : "riff")
            }
        )
    },
    swiftLanguageModes: [.v6]
)
