import Perennial

/// A product of the catalog in control/v1.
struct CatalogItem: Decodable {
    struct Text: Codable {
        var locale: String
        var name: String?
        var description: String?
    }

    var productId: String
    var appleId: String
    var type: String
    var name: String
    var state: String
    var missing: [String]
    var rejectionReason: String?
    var reviewNote: String?
    var taxCategory: String?
    var familyShareable: Bool
    var clearedForSale: Bool
    var storefronts: [String]?
    var price: Int64?
    var currency: String
    var groupId: String?
    var level: Int?
    var period: String?
    var version: Int
    var versionState: String
    var localizations: [Text]
    var revision: Int64

    /// One line.
    var sentence: String {
        let lack = missing.isEmpty ? "" : ", it lacks \(missing.joined(separator: ", "))"
        return "\(productId): \(state)\(lack)"
    }

    /// All properties, one in a line.
    var table: String {
        let money = price.map { Money(milliunits: $0, Currency(rawValue: currency)).description }
        let places: String =
            switch storefronts {
            case nil: "all"
            case .some(let codes) where codes.isEmpty: "none"
            case .some(let codes) where codes.count > 12:
                "\(codes.count): \(codes.prefix(12).joined(separator: " ")) …"
            case .some(let codes): codes.joined(separator: " ")
            }
        let rows: [(String, String?)] =
            [
                ("product", productId), ("apple id", appleId), ("type", type), ("name", name), ("state", state),
                ("lacks", missing.isEmpty ? nil : missing.joined(separator: ", ")), ("rejected", rejectionReason),
                ("review note", reviewNote), ("tax category", taxCategory), ("price", money ?? "none"),
                ("group", groupId.map { "\($0), level \(level ?? 1)" }), ("period", period),
                ("family sharing", familyShareable ? "on" : nil), ("cleared for sale", clearedForSale ? nil : "no"),
                ("storefronts", places), ("texts", "version \(version), \(versionState)"),
            ]
            + localizations.map { text in
                ("  \(text.locale)", [text.name, text.description].compactMap { $0 }.joined(separator: ": "))
            } + [("revision", String(revision))]
        return TerminalTable(["PROPERTY", "VALUE"], rows.compactMap { row in row.1.map { [row.0, $0] } }).text
    }
}

extension AppOption {
    /// Returns the path of a product of the catalog in control/v1.
    func catalogProduct(_ client: StoreClient, _ product: String, _ rest: String = "") async throws -> String {
        try await path(client, "/catalog/products/\(product.percentEncoded)\(rest)")
    }
}
