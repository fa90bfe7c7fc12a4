// swift-tools-version: 6.2

import PackageDescription

/// One program for each thing that is fuzzed, with the products that it reads with. Its corpus is Corpus/NAME.
let harnesses = [
    "acp": ["RiffACP", "RiffCore"],
    "acp-client": ["RiffACP", "RiffCore", "RiffTesting", "RiffTransport"],
    "screen": ["RiffCore", "RiffScreen"],
]

let package = Package(
    name: "riff-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name: a clone's folder may be called anything.
        .package(name: "riff", path: "..")
    ],
    targets: harnesses.map { name, products in
        .executableTarget(
            name: "\(name)-fuzz",
            dependencies: products.map { .product(name: $0, package: "riff") }
        )
    },
    swiftLanguageModes: [.v6]
)
