// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "riff-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        // By name: a clone's folder may be called anything.
        .package(name: "riff", path: "..")
    ],
    targets: [
        .executableTarget(
            name: "acp-fuzz",
            dependencies: [
                .product(name: "RiffACP", package: "riff"),
                .product(name: "RiffCore", package: "riff"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
