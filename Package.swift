// swift-tools-version: 6.1

import PackageDescription

/// The compiler settings of every target.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The names of the modules behind the products `StoreKit` and `StoreKitTest`: on Linux those that app code imports; on
/// Apple's platforms, which have their own, modules without content.
#if os(Linux)
    let storeKit = (client: "StoreKit", test: "StoreKitTest")
#else
    let storeKit = (client: "StoreKitOfApple", test: "StoreKitTestOfApple")
#endif

let package = Package(
    name: "perennial",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "perennial", targets: ["PerennialCommand"]),
        .executable(name: "perennial-bench", targets: ["PerennialBenchmarks"]),
        .library(name: "OpenStoreKit", targets: ["OpenStoreKit"]),
        .library(name: "StoreKit", targets: [storeKit.client]),
        .library(name: "StoreKitTest", targets: [storeKit.test]),
        .library(name: "AppStoreFormats", targets: ["AppStoreFormats"]),
    ],
    // A client that is built without default traits sends with Foundation: no TLS library is compiled for it.
    traits: [
        .default(enabledTraits: ["AsyncHTTPClient"]),
        .trait(name: "AsyncHTTPClient", description: "OpenStoreKit sends with async-http-client, not with URLSession."),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.34.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    ],
    targets: [
        // One HTTP exchange, ended by its deadline: what the client and the servers send with.
        .target(
            name: "OutboundHTTP",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),

        // The rules of commerce: values and pure functions.
        .target(name: "Perennial", swiftSettings: settings),

        // Bytes and JSON as text, without Foundation.
        .target(name: "BaseEncoding", swiftSettings: settings),
        .target(name: "FastJSON", dependencies: ["BaseEncoding"], swiftSettings: settings),

        // Bytes: receipts, signed data, certificates, reports, configuration files.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .target(
            name: "AppStoreFormats",
            dependencies: [
                "BaseEncoding", "FastJSON",
                "Perennial", "CZlib",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),

        // Programs beside this one.
        .target(name: "CPosixSpawn"),
        .target(name: "Subprocesses", dependencies: ["CPosixSpawn"], swiftSettings: settings),

        // One schema and one SQL text on two engines.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "PerennialStorage",
            dependencies: [
                "BaseEncoding",
                "Perennial", "CPostgreSQL", "CSQLite", "Subprocesses",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // The use cases.
        .target(
            name: "PerennialStore",
            dependencies: [
                "BaseEncoding",
                "Perennial", "AppStoreFormats", "PerennialStorage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .target(
            name: "PerennialConnect",
            dependencies: [
                "BaseEncoding",
                "Perennial", "AppStoreFormats", "PerennialStorage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .target(
            name: "PerennialDelivery",
            dependencies: [
                "BaseEncoding",
                "Perennial", "AppStoreFormats", "PerennialStorage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // The protocols spoken to the outside. Of storage, the values that use cases take and return; no SQL.
        .target(
            name: "PerennialHTTP",
            dependencies: [
                "BaseEncoding", "FastJSON",
                "Perennial", "AppStoreFormats", "OutboundHTTP", "PerennialStorage", "PerennialStore",
                "PerennialConnect", "PerennialDelivery",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),

        // The web console: pages from the use cases, rendered by the server.
        .target(
            name: "PerennialConsole",
            dependencies: [
                "BaseEncoding", "FastJSON",
                "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
                "PerennialDelivery", "PerennialHTTP",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),

        // What an app links.
        .target(
            name: "OpenStoreKit",
            dependencies: [
                "BaseEncoding", "FastJSON",
                "Perennial", "AppStoreFormats",
                .target(name: "OutboundHTTP", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(
                    name: "AsyncHTTPClient", package: "async-http-client",
                    condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(
                    name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(
                    name: "NIOFoundationCompat", package: "swift-nio",
                    condition: .when(traits: ["AsyncHTTPClient"])),
                .product(
                    name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
            ],
            swiftSettings: settings,
            // Foundation's own ICU, part of each toolchain on Linux: formats periods in all languages.
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),

        // A store inside the process of an app's tests.
        .target(
            name: "OpenStoreKitTest",
            dependencies: [
                "BaseEncoding", "OpenStoreKit",
                "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
                "PerennialDelivery", "PerennialHTTP",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),

        // The names that app code imports. Nothing of it is built for Apple's platforms.
        .target(
            name: storeKit.client, dependencies: [.target(name: "OpenStoreKit", condition: .when(platforms: [.linux]))],
            path: "Sources/StoreKit", swiftSettings: settings),
        .target(
            name: storeKit.test,
            dependencies: [
                .target(name: "OpenStoreKitTest", condition: .when(platforms: [.linux])),
                .target(name: storeKit.client, condition: .when(platforms: [.linux])),
            ],
            path: "Sources/StoreKitTest", swiftSettings: settings),

        // Invented customers against the real code, on an invented clock, with faults.
        .target(
            name: "PerennialSimulation",
            dependencies: [
                "BaseEncoding",
                "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
                "PerennialDelivery",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // The command line: wiring only.
        .executableTarget(
            name: "PerennialCommand",
            dependencies: [
                "BaseEncoding",
                "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
                "PerennialDelivery", "PerennialHTTP", "PerennialConsole", "PerennialSimulation", "OpenStoreKit",
                "OutboundHTTP",
                "Subprocesses",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),

        // What it costs: measured against bare limits in the same run.
        .executableTarget(
            name: "PerennialBenchmarks",
            dependencies: [
                "BaseEncoding", "FastJSON",
                "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
                "PerennialDelivery", "PerennialHTTP", "PerennialConsole", "OpenStoreKit", "OpenStoreKitTest",
                "Subprocesses", "CSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Benchmarks", swiftSettings: settings),

        // Tests: a target beside each target, shared support, and those that look at the whole.
        .target(name: "TestRandomness", path: "Tests/Randomness", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "BaseEncoding",
                "Perennial", "AppStoreFormats", "PerennialStorage", "PerennialStore", "PerennialConnect",
                "CPostgreSQL", "CSQLite", "TestRandomness",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/Support", swiftSettings: settings),
        // Run by ScenarioTests, with a disk that fails.
        .executableTarget(
            name: "DiskFaultSeller",
            dependencies: ["AppStoreFormats", "Perennial", "PerennialStorage", "PerennialStore", "TestSupport"],
            path: "Tests/DiskFaults", exclude: ["faults.c"], swiftSettings: settings),
        .testTarget(name: "PerennialTests", dependencies: ["Perennial", "TestRandomness"], swiftSettings: settings),
        .testTarget(
            name: "BaseEncodingTests", dependencies: ["BaseEncoding", "TestRandomness"], swiftSettings: settings),
        .testTarget(
            name: "FastJSONTests", dependencies: ["FastJSON", "TestRandomness"], swiftSettings: settings),
        .testTarget(
            name: "AppStoreFormatsTests",
            dependencies: [
                "BaseEncoding", "FastJSON",
                "AppStoreFormats", "Perennial", "Subprocesses", "TestRandomness",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(name: "SubprocessesTests", dependencies: ["Subprocesses"], swiftSettings: settings),
        .testTarget(
            name: "PerennialStorageTests", dependencies: ["PerennialStorage", "Perennial", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "PerennialStoreTests",
            dependencies: [
                "BaseEncoding",
                "PerennialStore", "PerennialConnect", "AppStoreFormats", "PerennialStorage", "Perennial", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Golden"], swiftSettings: settings),
        .testTarget(
            name: "PerennialConnectTests",
            dependencies: [
                "PerennialConnect", "PerennialStore", "AppStoreFormats", "PerennialStorage", "Perennial", "TestSupport",
                "TestRandomness",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "AppStoreFormats", "PerennialSimulation", "PerennialStore", "PerennialStorage", "Perennial",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PerennialDeliveryTests",
            dependencies: [
                "Perennial", "PerennialDelivery", "PerennialStorage", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OpenStoreKitTests",
            dependencies: [
                "BaseEncoding",
                "OpenStoreKit", "AppStoreFormats", "Perennial", "TestRandomness",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OpenStoreKitTestTests",
            dependencies: [
                "BaseEncoding", "OpenStoreKit", "OpenStoreKitTest", "AppStoreFormats", "Perennial", "TestRandomness",
                "Subprocesses",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        // Code as apps and their tests have it, which imports nothing else.
        .testTarget(
            name: "StoreKitUsageTests",
            dependencies: [
                .init(stringLiteral: storeKit.client), .init(stringLiteral: storeKit.test),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        // The same as of apps in Swift 5 mode, with the compiler's defaults.
        .testTarget(
            name: "StoreKitUsageSwift5Tests",
            dependencies: [.init(stringLiteral: storeKit.client), .init(stringLiteral: storeKit.test)],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // The same as of apps that test with XCTest.
        .testTarget(
            name: "StoreKitUsageXCTests",
            dependencies: [.init(stringLiteral: storeKit.client), .init(stringLiteral: storeKit.test)],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "PerennialHTTPTests",
            dependencies: [
                "BaseEncoding",
                "PerennialHTTP", "PerennialStore", "PerennialConnect", "PerennialDelivery", "PerennialStorage",
                "AppStoreFormats", "Perennial", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            exclude: ["Connect/Golden"], swiftSettings: settings),
        .testTarget(
            name: "PerennialConsoleTests",
            dependencies: [
                "BaseEncoding",
                "PerennialConsole", "PerennialHTTP", "PerennialStore", "PerennialConnect", "PerennialDelivery",
                "PerennialStorage", "AppStoreFormats", "Perennial", "TestSupport", "TestRandomness",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "PerennialCommand", "PerennialHTTP", "PerennialStore", "PerennialConnect", "PerennialDelivery",
                "PerennialStorage", "AppStoreFormats", "OpenStoreKit", "Perennial", "Subprocesses", "TestSupport",
                "TestRandomness",
                "DiskFaultSeller",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "PerennialCommand", "PerennialConsole", "PerennialHTTP", "PerennialStore", "PerennialConnect",
                "PerennialDelivery", "PerennialStorage", "PerennialSimulation", "AppStoreFormats", "Perennial",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Golden"], swiftSettings: settings),
        .testTarget(name: "RepositoryTests", dependencies: ["Subprocesses"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
