// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "MonkeyCredits",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "perennial", path: "../..")
    ],
    targets: [
        .target(
            name: "MonkeyCredits",
            dependencies: [.product(name: "StoreKit", package: "perennial", condition: .when(platforms: [.linux]))]),
        .executableTarget(name: "monkey", dependencies: ["MonkeyCredits"]),
        .testTarget(
            name: "MonkeyCreditsTests",
            dependencies: [
                "MonkeyCredits", "monkey",
                .product(name: "StoreKitTest", package: "perennial", condition: .when(platforms: [.linux])),
            ],
            resources: [.copy("Resources/MonkeyCredits.storekit")]),
    ]
)
