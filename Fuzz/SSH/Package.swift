// swift-tools-version: 6.2

import PackageDescription

/// The engine of SSH, which is no product and not public: the sources themselves, in a package where it can be reached,
/// with the program that fuzzes it. Its corpus is ../Corpus/ssh.
let crypto: [Target.Dependency] = [
    .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
]

let package = Package(
    name: "riff-ssh-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", "4.5.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.3.0"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .target(
            name: "RiffCore",
            dependencies: crypto + [.product(name: "DequeModule", package: "swift-collections")],
            exclude: ["Shell/Scripts"]
        ),
        .target(name: "RiffDeflate", dependencies: ["RiffCore", "CZlib"]),
        .target(name: "RiffSSH", dependencies: ["RiffCore", "RiffDeflate"] + crypto),
        .executableTarget(name: "ssh-fuzz", dependencies: ["RiffCore", "RiffSSH"] + crypto),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
