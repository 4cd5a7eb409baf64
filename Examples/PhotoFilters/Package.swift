// swift-tools-version: 6.1

import PackageDescription

let package = Package(
    name: "PhotoFilters",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "perennial", path: "../..")
    ],
    targets: [
        // Pixels, PNG files and filters, without a store.
        .target(name: "Pictures"),
        .target(
            name: "PhotoFilters",
            dependencies: [
                "Pictures", .product(name: "StoreKit", package: "perennial", condition: .when(platforms: [.linux])),
            ]),
        .executableTarget(name: "photo", dependencies: ["PhotoFilters"]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures"]),
        .testTarget(
            name: "PhotoFiltersTests",
            dependencies: [
                "PhotoFilters",
                .product(name: "StoreKitTest", package: "perennial", condition: .when(platforms: [.linux])),
            ]),
    ]
)
