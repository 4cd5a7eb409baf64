import Perennial

/// A StoreKit configuration file (`.storekit`), as Xcode 12 and later write it: versions 1.0 to 5.0.
///
/// Nothing is lost: a file is its JSON, and the typed properties here and on its parts read and write that JSON. Keys
/// that this version doesn't know stay where they are, and ``warnings`` names each of them. ``text`` has the layout of
/// Xcode, byte for byte.
public struct StoreKitFile: Hashable, Sendable {
    /// Larger files are refused: real ones have some 20 kilobytes.
    public static let maximumByteCount = 16 << 20
    /// The limit on products in one file; App Store Connect allows 10,000 in an app.
    public static let maximumProductCount = ListingLimits.productsOfApp

    /// The object of the whole file, unknown keys included.
    public var fields: StoreKitJSON.Object
    /// The warnings of the reader, in the order of the file.
    public private(set) var warnings: [StoreKitFileWarning] = []

    /// The version of the format, which decides the known keys; 5.0 is the newest known.
    public struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// The major version.
        public var major: Int
        /// The minor version.
        public var minor: Int

        /// Creates a version.
        public init(_ major: Int, _ minor: Int) {
            self.major = major
            self.minor = minor
        }

        /// The newest version that the reader knows.
        public static let newestKnown = Version(5, 0)
        /// The version with a dot, such as `5.0`.
        public var description: String { "\(major).\(minor)" }
        /// Compares the major versions, then the minor ones.
        public static func < (one: Version, other: Version) -> Bool {
            (one.major, one.minor) < (other.major, other.minor)
        }
    }

    /// Creates an empty file.
    public init(version: Version = .newestKnown) {
        fields = StoreKitJSON.Object()
        self.version = version
        products = []
        nonRenewingSubscriptions = []
        subscriptionGroups = []
        settings = Settings(fields: StoreKitJSON.Object())
    }

    /// Reads a file.
    /// - Throws: ``StoreKitFileError`` for text that isn't JSON, values of a wrong type, malformed prices and periods,
    ///   unknown product types or missing ones that nothing else says, and product IDs that appear twice.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        guard bytes.count <= Self.maximumByteCount else {
            throw StoreKitFileError(
                .tooLarge, path: "", expected: "at most \(Self.maximumByteCount) bytes", found: "\(bytes.count)")
        }
        guard case .object(let fields) = try StoreKitJSONParser.value(of: bytes) else {
            throw StoreKitFileError(.notAnObject, path: "", expected: "a JSON object", found: "another value")
        }
        var check = StoreKitSchemaCheck()
        try check.check(fields, StoreKitSchema.file, path: "")
        self.fields = fields
        warnings = check.warnings
        if let version, version > .newestKnown {
            warnings.insert(
                StoreKitFileWarning(
                    code: .newerVersion, path: "version",
                    message: "\(version) is newer than \(Version.newestKnown): read as far as it is understood"), at: 0)
        }
        try checkProductIDs()
    }

    /// The file as Xcode writes it.
    public var text: String { StoreKitFileText.pretty(.object(fields)) }

    private func checkProductIDs() throws {
        var paths: [String: String] = [:]
        var count = 0
        func check(_ productID: String, _ path: String) throws {
            count += 1
            guard count <= Self.maximumProductCount else {
                throw StoreKitFileError(
                    .tooMany, path: path, expected: "at most \(Self.maximumProductCount) products", found: "more")
            }
            if let first = paths.updateValue(path, forKey: productID) {
                throw StoreKitFileError(
                    .duplicateProductID, path: "\(path).productID", expected: "each product ID once",
                    found: "\(StoreKitFileText.compact(.string(productID))), which is also at \(first)")
            }
        }
        for (index, product) in products.enumerated() { try check(product.productID, "products[\(index)]") }
        for (index, product) in nonRenewingSubscriptions.enumerated() {
            try check(product.productID, "nonRenewingSubscriptions[\(index)]")
        }
        for (groupIndex, group) in subscriptionGroups.enumerated() {
            for (index, subscription) in group.subscriptions.enumerated() {
                try check(subscription.productID, "subscriptionGroups[\(groupIndex)].subscriptions[\(index)]")
            }
        }
    }
}

extension StoreKitFile {
    /// Eight hexadecimal digits; files of version 1.0 have none.
    public var identifier: String? {
        get { fields[string: "identifier"] }
        set { fields[string: "identifier"] = newValue }
    }

    /// The version that the file states.
    public var version: Version? {
        get {
            guard case .object(let version) = fields["version"], let major = version[integer: "major"] else {
                return nil
            }
            return Version(major, version[integer: "minor"] ?? 0)
        }
        set {
            fields["version"] = newValue.map {
                .object(.init([.init("major", .number("\($0.major)")), .init("minor", .number("\($0.minor)"))]))
            }
        }
    }

    /// Consumables and non-consumables.
    public var products: [Product] {
        get { fields[values: "products"] }
        set { fields[values: "products"] = newValue }
    }

    /// The non-renewing subscriptions.
    public var nonRenewingSubscriptions: [Product] {
        get { fields[values: "nonRenewingSubscriptions"] }
        set { fields[values: "nonRenewingSubscriptions"] = newValue }
    }

    /// The groups of auto-renewable subscriptions.
    public var subscriptionGroups: [SubscriptionGroup] {
        get { fields[values: "subscriptionGroups"] }
        set { fields[values: "subscriptionGroups"] = newValue }
    }

    /// The settings of the test store.
    public var settings: Settings? {
        get { fields[value: "settings"] }
        set { fields[value: "settings"] = newValue }
    }

    /// The field exists since version 4.0.
    public var appPolicies: AppPolicies? {
        get { fields[value: "appPolicies"] }
        set { fields[value: "appPolicies"] = newValue }
    }

    /// The key pair that signs promotional offers locally; since version 3.0. It holds a secret.
    public var subscriptionOffersKeyPair: KeyPair? {
        get { fields[value: "subscriptionOffersKeyPair"] }
        set { fields[value: "subscriptionOffersKeyPair"] = newValue }
    }
}

extension StoreKitFile: CustomStringConvertible {
    /// The version of the file and the number of its products, without its contents.
    public var description: String {
        let subscriptions = subscriptionGroups.reduce(0) { $0 + $1.subscriptions.count }
        return "StoreKit file \(version.map(\.description) ?? "of no version"): \(products.count) products, "
            + "\(nonRenewingSubscriptions.count) non-renewing and \(subscriptions) renewing subscriptions"
    }
}

/// A part of a ``StoreKitFile``: an object of its JSON, with properties for the keys that are known.
public protocol StoreKitFileValue: Hashable, Sendable {
    /// The object in the file, unknown keys included.
    var fields: StoreKitJSON.Object { get set }
    init(fields: StoreKitJSON.Object)
}
