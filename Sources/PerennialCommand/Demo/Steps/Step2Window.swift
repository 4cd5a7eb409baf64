import Foundation
import OpenStoreKit

/// Two customers look at the shop window: the seller's list, then the store's titles and prices.
struct Window: Step {
    static let title = "Two customers look at what there is"

    /// A slip of the app's author: there is no such product.
    private static let mistyped = "\(DemoFolder.bundleID).film.rol"

    let demo: DemoEnvironment

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        let (greta, hiro) = (demo.greta, demo.hiro)
        printer.sent(greta.name, "Delivery: which products are there?")
        let list = try await greta.delivery.products()
        try expect("the seller's list", list.products.map(\.productId), is: demo.products)
        printer.came("\(list.products.count) products, in the seller's order")
        let again = try await greta.delivery.products()
        try expect("where the list comes from when it is asked for again", again.source, is: .revalidated)
        printer.sent(greta.name, "Delivery: still the same? (ETag)")
        printer.came("304, nothing to send")

        let identifiers = list.products.map(\.productId) + [Self.mistyped]
        try await look(greta, identifiers, printer, currency: "EUR", film: ("Filmrolle", 1.09))
        try await look(hiro, identifiers, printer, currency: "JPY", film: ("フィルム", 160))
        return ((), "Titles and prices in each customer's language and currency; two IDs are refused by name.")
    }

    private func look(
        _ device: Device, _ identifiers: [String], _ printer: Printer, currency: String,
        film: (title: String, price: Double)
    ) async throws {
        let (language, country) = (device.facts.person.language, device.facts.person.storefront)
        printer.sent(device.name, "store: SKProductsRequest with these and a mistyped one, in \(language)")
        let response = try await device.products(identifiers)
        try expect(
            "the invalid product IDs", Set(response.invalidProductIdentifiers),
            is: [Self.mistyped, "\(DemoFolder.bundleID).filter.amber"])
        try expect("the number of products", response.products.count, is: identifiers.count - 2)
        try expect("the storefront", device.connection.storefront?.countryCode, is: country)
        try expect("the currency", device.connection.currencyCode, is: currency)
        let roll = try required(
            "the film roll", response.products.first { $0.productIdentifier == "\(DemoFolder.bundleID).film.roll" })
        try expect("the film roll's title", roll.localizedTitle, is: film.title)
        try expect("the film roll's price", roll.price.doubleValue, is: film.price)
        let shown = ["film.roll", "filter.silver", "magazine.monthly"].compactMap { name in
            response.products.first { $0.productIdentifier.withoutBundleID == name }
        }
        printer.came(shown.map { "\($0.localizedTitle) \($0.storeDisplayPrice)" }.joined(separator: " · "))
        let invalid = response.invalidProductIdentifiers.map(\.withoutBundleID).sorted()
        printer.more("and \(response.products.count - shown.count) more; invalid: \(invalid.listed)")
    }
}

extension Device {
    /// A product as the store describes it to this customer.
    func product(_ name: String) async throws -> SKProduct {
        let identifier = name.hasPrefix(facts.app) ? name : "\(facts.app).\(name)"
        return try required(identifier, try await products([identifier]).products.first)
    }
}
