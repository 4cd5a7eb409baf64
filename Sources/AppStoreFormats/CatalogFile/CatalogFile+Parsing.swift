import Perennial

extension CatalogFile {
    /// The largest file that is read: an app with 10,000 products, each with a price in every storefront.
    public static let maximumByteCount = 64 << 20
    /// The most apps in one file.
    public static let maximumAppCount = 100
    /// The limit on products in one app, which is App Store Connect's.
    public static let maximumProductCount = ListingLimits.productsOfApp

    /// The key above several apps.
    static let keys = ["apps"]

    /// Reads a catalog.
    /// - Throws: ``CatalogFileError`` with line and column.
    public init(parsing bytes: some Sequence<UInt8>) throws {
        try self.init(root: try YAMLNode.root(of: Array(bytes)))
    }

    /// Returns a locale with `_` before its region; `nil` for a text that is none.
    package static func locale(_ text: String) -> String? {
        let isWellFormed =
            (2...20).contains(text.utf8.count) && text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        return isWellFormed ? text.replacing("-", with: "_") : nil
    }

    /// Reads a catalog from a tree. Errors have no place.
    /// - Throws: ``CatalogFileError``.
    package init(_ tree: CatalogNode) throws {
        try self.init(root: YAMLNode(tree))
    }

    private init(root: YAMLNode) throws {
        if case .keys(let pairs) = root.value, pairs.contains(where: { $0.key == "apps" }) {
            let nodes = try YAMLFields(root, known: Self.keys).required("apps").list()
            guard nodes.count <= Self.maximumAppCount else {
                throw CatalogFileError(
                    .tooLarge, at: root.position, expected: "at most \(Self.maximumAppCount) apps",
                    found: "\(nodes.count)")
            }
            apps = try nodes.map(App.init)
        } else {
            apps = [try App(root)]
        }
    }
}

extension CatalogFile.App {
    static let keys = [
        "bundleId", "appleId", "name", "version", "newsstand", "defaultStorefront", "defaultLocale", "sharedSecret",
        "storekit", "price", "currency", "prices", "commissionBasisPoints", "taxBasisPoints", "taxes", "smallBusiness",
        "sku", "developer", "category", "platforms", "nonRenewing", "billing", "notifications", "availability",
        "listing",
        "groups", "products", "contents",
    ]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        position = fields.position
        bundleID = try fields["bundleId"]?.bundleID()
        appleID = try fields["appleId"]?.integer(1...Int64.max)
        name = try fields["name"]?.text()
        version = try fields["version"]?.text()
        isNewsstand = try fields["newsstand"]?.bool()
        defaultStorefront = try fields["defaultStorefront"]?.storefront()
        defaultLocale = try fields["defaultLocale"]?.locale()
        sharedSecret = try fields["sharedSecret"]?.sharedSecret()
        storeKitFile = try fields["storekit"]?.text()
        storeKitPosition = fields["storekit"]?.position
        price = try fields.price()
        prices = try fields["prices"]?.prices() ?? [:]
        commissionBasisPoints = try fields["commissionBasisPoints"]?.integer(0...10_000)
        taxBasisPoints = try fields["taxBasisPoints"]?.integer(0...10_000)
        taxes = try fields["taxes"]?.taxes() ?? [:]
        isSmallBusiness = try fields["smallBusiness"]?.bool()
        sku = try fields["sku"]?.text()
        developer = try fields["developer"]?.text()
        category = try fields["category"]?.text()
        platforms = try fields["platforms"]?.text()
        nonRenewing = try fields["nonRenewing"].map(CatalogFile.NonRenewing.init)
        billing = try fields["billing"].map(CatalogFile.Billing.init)
        notifications = try fields["notifications"].map(CatalogFile.Notifications.init)
        availability = try fields["availability"].map(CatalogFile.Availability.init)
        listing = fields["listing"]?.tree
        groups = try fields["groups"].map { try $0.list().map(CatalogFile.Group.init) } ?? []
        products = try fields["products"].map { try $0.list().map(CatalogFile.Product.init) } ?? []
        contents = try fields["contents"].map { try $0.list().map { try .init($0, product: nil) } } ?? []
        guard products.count <= CatalogFile.maximumProductCount else {
            throw CatalogFileError(
                .tooLarge, at: position, expected: "at most \(CatalogFile.maximumProductCount) products",
                found: "\(products.count)")
        }
        var lines: [String: Int] = [:]
        for product in products {
            if let line = lines.updateValue(product.position.line, forKey: product.id) {
                throw CatalogFileError(
                    .duplicate, at: product.position, expected: "each product ID once",
                    found: "'\(product.id)', which is also in line \(line)")
            }
        }
    }
}

extension CatalogFile.Tax {
    static let keys = ["basisPoints", "included"]

    /// A rate alone, included in prices as by the storefront's standard, or the keys.
    init(_ node: YAMLNode, of storefront: Storefront) throws {
        let limits = SalesTax.limits
        guard case .keys = node.value else {
            self.init(basisPoints: try node.integer(limits), isIncluded: storefront.salesTax.isIncluded)
            return
        }
        let fields = try YAMLFields(node, known: Self.keys)
        self.init(
            basisPoints: try fields.required("basisPoints").integer(limits),
            isIncluded: try fields["included"]?.bool() ?? storefront.salesTax.isIncluded)
    }
}

extension CatalogFile.NonRenewing {
    static let keys = ["overlap", "terms", "rule"]

    init(_ node: YAMLNode) throws {
        let fields = try YAMLFields(node, known: Self.keys)
        overlap = try fields["overlap"]?.word(of: ["refuse", "extend"])
        rule = try fields["rule"]?.word(of: ["ids", "off"])
        terms = [:]
        for entry in try fields["terms"]?.entries() ?? [] {
            guard !entry.key.contains("*") || TermRules.Pattern(rawValue: entry.key) != nil else {
                throw CatalogFileError(
                    .malformedValue, at: entry.position, expected: "a product ID, or one with a single * for any text",
                    found: "'\(entry.key.prefix(60))'")
            }
            terms[entry.key] = try entry.node.period()
        }
    }
}

extension CatalogFile.Content {
    static let keys = [
        "id", "file", "version", "filename", "published", "products", "subscriptions", "requires",
    ]

    /// - Parameter product: The product under which the content is written, which unlocks it.
    init(_ node: YAMLNode, product: String?) throws {
        let known = product == nil ? Self.keys : Self.keys.filter { $0 != "products" }
        let fields = try YAMLFields(node, known: known)
        position = fields.position
        id = try fields.required("id").text()
        file = try fields.required("file").text()
        version = try fields["version"]?.text()
        filename = try fields["filename"]?.text()
        published = try fields["published"]?.time()
        products = try product.map { [$0] } ?? fields["products"]?.list().map { try $0.text() } ?? []
        subscriptions = try fields["subscriptions"]?.list().map { try $0.text() } ?? []
        requires = try fields["requires"]?.list().map { try $0.text() } ?? []
    }
}

extension YAMLNode {
    /// Taxes by storefront.
    fileprivate func taxes() throws -> [String: CatalogFile.Tax] {
        var taxes: [String: CatalogFile.Tax] = [:]
        for entry in try entries() {
            let storefront = Storefront(rawValue: entry.key)
            guard storefront.info != nil else {
                throw CatalogFileError(
                    .malformedValue, at: entry.position, expected: "a storefront of the App Store such as USA or DEU",
                    found: "'\(entry.key.prefix(60))'")
            }
            taxes[entry.key] = try CatalogFile.Tax(entry.node, of: storefront)
        }
        return taxes
    }

    fileprivate func bundleID() throws -> String {
        let text = try text()
        guard ProductValidation.isWellFormed(identifier: text) else {
            throw malformed("a bundle ID such as com.example.magazine")
        }
        return text
    }

    fileprivate func sharedSecret() throws -> CatalogFile.Secret {
        let text = try text()
        guard text.utf8.count == 32, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            // A secret is not shown, not even a wrong one.
            throw CatalogFileError(
                .malformedValue, at: position, expected: "32 hexadecimal digits", found: "other text")
        }
        return CatalogFile.Secret(text.lowercased())
    }

    /// A language with or without region.
    func locale() throws -> String { try Self.checkedLocale(try text()) { malformed("a locale such as en_US or de") } }

    static func checkedLocale(_ text: String, _ error: () -> CatalogFileError) throws -> String {
        guard let locale = CatalogFile.locale(text) else { throw error() }
        return locale
    }

    /// An instant in RFC 3339; a date alone means its first moment in UTC.
    func time() throws -> String {
        let text = try text()
        let time = text.utf8.count == 10 ? "\(text)T00:00:00Z" : text
        guard Instant(rfc3339: time) != nil else { throw malformed("a date such as 2026-01-31, or an RFC 3339 time") }
        return time
    }
}
