// swift-tools-version: 6.2

import PackageDescription

/// One program for each thing that is fuzzed, with the products that it reads with. Its corpus is Corpus/NAME.
let harnesses = [
    "acp": ["RiffACP", "RiffCore"],
    "acp-client": ["RiffACP", "RiffCore", "RiffTesting", "RiffTransport"],
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

// What a screen needs is itself.
package.targets.append(
    .executableTarget(
        name: "screen-fuzz",
        dependencies: ["RiffScreen", "RiffCore"].map { .product(name: $0, package: "riff") }
    )
)
