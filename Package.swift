// swift-tools-version: 6.2

import PackageDescription

let core: Target.Dependency = "RiffCore"
let transport: Target.Dependency = "RiffTransport"
let httpClient: TargetDependencyCondition? = .when(traits: ["HTTPClient"])
let libraries = [
    "RiffCore", "RiffDeflate", "RiffShare", "RiffMarkdown", "RiffScreen", "RiffTransport", "RiffHTTP", "RiffSessions",
    "RiffVoice", "RiffTalk", "RiffAgents", "RiffACP", "RiffGateway", "RiffServer", "RiffHub", "RiffTranscripts",
    "RiffHermes", "RiffApple", "RiffTesting",
]

let package = Package(
    name: "riff",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        // Everything a front end links; RiffTesting stays apart.
        .library(name: "Riff", targets: libraries.filter { $0 != "RiffTesting" })
    ],
    traits: [
        .trait(name: "SSH", description: "SSH hosts, on the engine in Swift."),
        .trait(name: "LibSSH2", description: "SSH hosts, on the system's libssh2 (macOS and Linux)."),
        .trait(name: "HTTPClient", description: "The HTTP transport on AsyncHTTPClient."),
        .trait(
            name: "URLSession",
            description: "The HTTP transport on the system's URLSession; on Linux it links libcurl."
        ),
        .default(enabledTraits: ["SSH", "LibSSH2", "HTTPClient", "URLSession"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto.git", "4.5.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.34.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.6.4"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.0.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibSSH2",
            pkgConfig: "libssh2",
            providers: [.apt(["libssh2-1-dev"]), .brew(["libssh2"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(name: "CRiffPTY", linkerSettings: [.linkedLibrary("util", .when(platforms: [.linux]))]),
        // The numbers of a network, and nothing else.
        .target(name: "CSileroWeights", exclude: ["LICENSE-silero", "silero_vad_v6_16k.f32"]),
        .target(
            name: "RiffCore",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            // The text of these is compiled in, by scripts/embed-host-scripts.
            exclude: ["Shell/Scripts"]
        ),
        .target(name: "RiffDeflate", dependencies: [core, "CZlib"]),
        .target(name: "RiffShare", dependencies: [core]),
        // The SSH engine that needs no C of the system: no product, a part of RiffTransport.
        .target(
            name: "RiffSSH",
            dependencies: [
                core, "RiffDeflate",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]
        ),
        .target(name: "RiffMarkdown", dependencies: [core]),
        .target(
            name: "RiffScreen",
            dependencies: [core, .product(name: "DequeModule", package: "swift-collections")]
        ),
        .target(
            name: "RiffAgents",
            dependencies: [core, transport, "RiffShare", "RiffScreen"],
            exclude: ["Board/Scripts"]
        ),
        .target(
            name: "RiffTransport",
            dependencies: [
                core, "RiffDeflate", "RiffShare", "CRiffPTY",
                .target(name: "RiffSSH", condition: .when(traits: ["SSH"])),
                .target(name: "CLibSSH2", condition: .when(platforms: [.macOS, .linux], traits: ["LibSSH2"])),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        // What carries HTTP and WebSockets: apart, because a terminal over SSH needs no TLS of its own.
        .target(
            name: "RiffHTTP",
            dependencies: [
                core, transport, "RiffDeflate",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: httpClient),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: httpClient),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: httpClient),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: httpClient),
            ]
        ),
        .target(
            name: "RiffSessions",
            dependencies: [core, transport, "RiffDeflate", "RiffShare"],
            exclude: ["Kit/Scripts"]
        ),
        .target(
            name: "RiffACP",
            dependencies: [
                core, transport,
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Keeper/Scripts"]
        ),
        .target(
            name: "RiffGateway",
            dependencies: [core, transport, "RiffVoice", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        .target(
            name: "RiffVoice",
            dependencies: [
                core, transport, "RiffShare", "CSileroWeights",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "RiffTalk",
            dependencies: [core, "RiffShare", transport, "RiffAgents", "RiffSessions", "RiffVoice"]
        ),
        // The seams on Apple's systems; elsewhere little of it is compiled.
        .target(name: "RiffApple", dependencies: [core, transport, "RiffScreen", "RiffVoice", "RiffTalk"]),
        .target(
            name: "RiffServer",
            dependencies: [
                core, transport, "RiffVoice",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "RiffHub",
            dependencies: [
                core, transport, "RiffVoice",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // How a database of somebody else is opened: no product, a part of the two that follow.
        .target(name: "RiffSQLite", dependencies: [core, .product(name: "GRDB", package: "GRDB.swift")]),
        .target(
            name: "RiffTranscripts",
            dependencies: [
                core, transport, "RiffDeflate", "RiffScreen", "RiffSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "RiffHermes",
            dependencies: [
                core, transport, "RiffDeflate", "RiffSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Yams", package: "Yams"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ]
        ),
        .target(
            name: "RiffTesting",
            dependencies: [
                core, "RiffShare", transport, "RiffScreen", "RiffAgents", "RiffSessions", "RiffHTTP", "RiffACP",
                "RiffVoice",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // What several test targets share; no product.
        .target(
            name: "TestSupport",
            dependencies: [core, transport, "RiffSessions", "RiffTesting"],
            path: "Tests/TestSupport"
        ),
        .target(
            name: "VoiceTestSupport",
            dependencies: [
                core, transport, "RiffVoice", "RiffServer", "RiffTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/VoiceTestSupport",
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffCoreTests",
            dependencies: [core, transport, "RiffTesting", "TestSupport"]
        ),
        .testTarget(
            name: "RiffDeflateTests",
            dependencies: [core, "RiffDeflate", transport, "RiffTesting", "TestSupport"]
        ),
        .testTarget(
            name: "RiffShareTests",
            dependencies: [core, "RiffShare", transport, "RiffTesting", "TestSupport"]
        ),
        .testTarget(
            name: "RiffSSHTests",
            dependencies: [
                core, "RiffDeflate", "RiffSSH", "RiffTesting", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffMarkdownTests",
            dependencies: [core, "RiffMarkdown", "RiffScreen", "RiffTesting", "TestSupport"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffScreenTests",
            dependencies: [core, "RiffScreen", transport, "RiffSessions", "RiffTesting", "TestSupport"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffAgentsTests",
            dependencies: [
                core, "RiffShare", "RiffAgents", "RiffScreen", transport, "RiffSessions", "RiffTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffTransportTests",
            dependencies: [
                core, "RiffDeflate", "RiffShare", transport, "RiffHTTP", "RiffSessions", "RiffTesting", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffHTTPTests",
            dependencies: [
                core, "RiffDeflate", transport, "RiffHTTP", "RiffTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffSessionsTests",
            dependencies: [core, "RiffScreen", transport, "RiffSessions", "RiffTesting", "TestSupport"]
        ),
        .testTarget(
            name: "RiffVoiceTests",
            dependencies: [
                core, "RiffShare", transport, "RiffHTTP", "RiffVoice", "RiffServer", "RiffTesting", "TestSupport",
                "VoiceTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(name: "RiffAppleTests", dependencies: [core, "RiffScreen", "RiffApple", "RiffTesting"]),
        .testTarget(
            name: "RiffTalkTests",
            dependencies: [
                core, "RiffShare", transport, "RiffSessions", "RiffVoice", "RiffTalk", "RiffHub", "RiffACP",
                "RiffAgents",
                "RiffTesting",
                "TestSupport", "VoiceTestSupport",
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffACPTests",
            dependencies: [core, transport, "RiffACP", "RiffTesting", "TestSupport"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffGatewayTests",
            dependencies: [
                core, transport, "RiffHTTP", "RiffVoice", "RiffGateway", "RiffServer", "RiffTesting", "TestSupport",
                "VoiceTestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffServerTests",
            dependencies: [
                core, "RiffShare", transport, "RiffHTTP", "RiffVoice", "RiffServer", "RiffTesting", "TestSupport",
                "VoiceTestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "RiffHubTests",
            dependencies: [
                core, transport, "RiffHTTP", "RiffVoice", "RiffHub", "RiffTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffTranscriptsTests",
            dependencies: [
                core, "RiffDeflate", "RiffScreen", transport, "RiffACP", "RiffGateway", "RiffHermes", "RiffHub",
                "RiffVoice",
                "RiffTranscripts", "RiffTesting", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "RiffHermesTests",
            dependencies: [core, "RiffDeflate", transport, "RiffHermes", "RiffTesting", "TestSupport"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "RiffTestingTests",
            dependencies: [core, "RiffScreen", transport, "RiffSessions", "RiffTesting", "TestSupport"]
        ),
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
    // Each batch of a module reads all of it: one batch takes two thirds of the time.
    if target.type == .test { target.swiftSettings?.append(.unsafeFlags(["-j1"])) }
    // The toolchain's own linker, which takes half the time of the system's.
    if target.type == .test { target.linkerSettings = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))] }
}

// Only the documentation job resolves the plugin: `RIFF_DOCS=1 swift package generate-documentation`.
if Context.environment["RIFF_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin.git", from: "1.4.0"))
}
