import Foundation

/// The parts of the demo: servers, the proxies between them, customers and their devices.
struct DemoEnvironment: Sendable {
    let folder: DemoFolder
    let database: DemoDatabase
    /// The catalog's product IDs, in the seller's order.
    let products: [String]
    let cleanup: Cleanup
    let store: StoreServer
    let delivery: DeliveryServer
    /// The proxy between Delivery and the store, which records Delivery's requests.
    let questions: Proxy
    /// The proxy between the devices and Delivery, which plays the network.
    let network: Proxy
    /// The URL of Delivery for devices: that of the network proxy.
    let deliveryURL: String
    let greta: Device
    let hiro: Device

    var control: Operator { Operator(store: store.sandbox, token: store.controlToken) }
    var backend: Backend { Backend(store: store.sandbox) }

    /// Makes a customer's device, or starts an existing one again.
    func device(of person: Person, called name: String, app: String = DemoFolder.bundleID) throws -> Device {
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

    /// The account at the store.
    var account: String { "\(name.lowercased())@example.com" }

    static let greta = Person(name: "Greta", storefront: "DEU", language: "de-DE")
    static let hiro = Person(name: "Hiro", storefront: "JPN", language: "ja-JP")
    static let nia = Person(name: "Nia", storefront: "USA", language: "en-US")
}
