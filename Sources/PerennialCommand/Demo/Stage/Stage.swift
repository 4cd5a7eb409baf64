import Foundation

/// All that plays: the servers, the middlemen between them, the people and their devices.
struct Stage: Sendable {
    let folder: StageFolder
    let database: StoryDatabase
    /// The catalog's product IDs, in the seller's order.
    let products: [String]
    let leftovers: Leftovers
    let store: StoreServer
    let delivery: DeliveryServer
    /// Between Delivery and the store: what Delivery asked.
    let questions: Middleman
    /// Between the devices and Delivery: the network.
    let network: Middleman
    /// Where devices reach Delivery: through the network.
    let deliveryURL: String
    let greta: Device
    let hiro: Device

    var control: Operator { Operator(store: store.sandbox, token: store.controlToken) }
    var backend: Backend { Backend(store: store.sandbox) }

    /// A device of somebody's, new or switched on again.
    func device(of person: Person, called name: String, app: String = StageFolder.bundleID) throws -> Device {
        try Device(
            .init(
                name: name, person: person, app: app, identifier: UUID(), store: store.sandbox, delivery: deliveryURL,
                root: store.receiptRootCertificate,
                folder: folder.devices.appending(path: name.replacing(" ", with: "-"))))
    }
}

/// A customer.
struct Person: Sendable {
    let name: String
    let storefront: String
    /// The customer's language, such as `de-DE`.
    let language: String

    /// At the store.
    var account: String { "\(name.lowercased())@example.com" }

    static let greta = Person(name: "Greta", storefront: "DEU", language: "de-DE")
    static let hiro = Person(name: "Hiro", storefront: "JPN", language: "ja-JP")
    static let nia = Person(name: "Nia", storefront: "USA", language: "en-US")
}
