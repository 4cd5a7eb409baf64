import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import Testing

/// Files for the tests of the catalog: other projects' `.storekit` files, our example, and files written for one test.
enum CatalogFixture {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let storeKitFiles = repository.appending(path: "Tests/AppStoreFormatsTests/Fixtures")
    static let example = repository.appending(path: "Examples/Magazine")

    static let realFiles = [
        "RevenueCat-purchases-flutter-RevenueCast_PurchaseTesterTypescriptConfiguration",
        "apphud-ApphudSDK-Configuration",
        "RevenueCat-purchases-ios-PurchaseTesterStoreKitConfiguration",
        "tikhop-Mercato-Mercato",
        "RevenueCat-purchases-ios-UnitTestsConfiguration",
    ]

    static func storeKitFile(_ name: String) throws -> StoreKitFile {
        try StoreKitFile(parsing: Data(contentsOf: storeKitFiles.appending(path: "\(name).storekit")))
    }

    static func imported(_ json: String) throws -> (app: App, warnings: [CatalogWarning]) {
        try CatalogImport.app(
            from: StoreKitFile(parsing: json.utf8), path: "a.storekit",
            bundleID: App.BundleID(rawValue: "com.example.a"),
            name: "A")
    }

    /// Runs a body in a folder with these files, which is removed afterwards.
    static func withFiles<Value>(_ files: [String: String], _ body: (String) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return try body(folder.path)
    }

    /// Loads a catalog from a `.storekit` text and YAML texts in a temporary folder.
    static func loaded(storekit: String? = nil, yaml: String? = nil, bundleID: String? = nil) throws -> Catalog {
        var files: [String: String] = [:]
        files["shop.storekit"] = storekit
        files["catalog.yaml"] = yaml
        return try withFiles(files) { folder in
            try CatalogLoader.load(
                storekit: storekit == nil ? [] : ["\(folder)/shop.storekit"],
                catalog: yaml == nil ? [] : ["\(folder)/catalog.yaml"], bundleID: bundleID)
        }
    }

    /// The error of loading, without the temporary folder's name.
    static func error(storekit: String? = nil, yaml: String? = nil, bundleID: String? = nil) -> String {
        do {
            return "loaded: \(try loaded(storekit: storekit, yaml: yaml, bundleID: bundleID).apps.map(\.bundleID))"
        } catch {
            return "\(error)".replacing(/[^ ]*catalog-[0-9A-F-]+\//, with: "")
        }
    }
}

extension Product {
    /// A line for golden texts.
    var line: String {
        var line =
            "\(id) \(type.rawValue) \(basePrice)\(isClearedForSale ? "" : " not sold")\(isPriced ? "" : " no price")\(isFamilyShareable ? " shared" : "")"
        line += " '\(localizations.map { "\($0.locale): \($0.displayName)" }.joined(separator: ", "))'"
        guard let subscription else { return line }
        line += "\n    group \(subscription.groupID) level \(subscription.level) every \(subscription.period)"
        if let offer = subscription.introductoryOffer { line += "\n    introductory \(offer.line)" }
        for offer in subscription.promotionalOffers { line += "\n    promotional \(offer.line)" }
        for offer in subscription.codeOffers { line += "\n    code \(offer.line)" }
        for offer in subscription.winBackOffers { line += "\n    win-back \(offer.line)" }
        return line
    }
}

extension Offer {
    fileprivate var line: String {
        var line = "\(id.map { "\($0): " } ?? "")\(paymentMode.rawValue) \(periodCount) x \(period) at \(basePrice)"
        if !eligibility.isEmpty { line += " for \(eligibility.map(\.rawValue).sorted().joined(separator: ", "))" }
        return line + (isStackable ? " stackable" : "")
    }
}
