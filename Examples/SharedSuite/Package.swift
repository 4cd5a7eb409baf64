// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "SharedSuite",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "Paywall", targets: ["Paywall"])],
    dependencies: [
        // On Apple's platforms its products StoreKit and StoreKitTest are empty, and the imports are Apple's modules.
        .package(name: "perennial", path: "../..")
    ],
    targets: [
        .target(
            name: "Paywall",
            dependencies: [.product(name: "StoreKit", package: "perennial", condition: .when(platforms: [.linux]))]),
        .testTarget(
            name: "SharedSuiteTests",
            dependencies: [
                "Paywall", .product(name: "StoreKitTest", package: "perennial", condition: .when(platforms: [.linux])),
            ],
            resources: [.copy("Resources/Paywall.storekit")]),
    ]
)
