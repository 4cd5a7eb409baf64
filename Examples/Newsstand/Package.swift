// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "Newsstand",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "perennial", path: "../..")
    ],
    targets: [
        .target(
            name: "Newsstand",
            dependencies: [.product(name: "StoreKit", package: "perennial", condition: .when(platforms: [.linux]))]),
        .executableTarget(name: "kiosk", dependencies: ["Newsstand"]),
        .testTarget(
            name: "NewsstandTests",
            dependencies: [
                "Newsstand",
                .product(name: "StoreKitTest", package: "perennial", condition: .when(platforms: [.linux])),
            ]),
    ]
)
