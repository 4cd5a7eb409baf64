import Foundation
import Perennial
import PerennialConnect

/// The store starts with the example's app; beside it, the seller's Delivery server.
struct Opening: Step {
    static let title = "A store opens, and beside it the seller's own content server"

    let folder: DemoFolder
    let database: DemoDatabase
    let cleanup: Cleanup

    func run(_ printer: Printer) async throws -> (outcome: DemoEnvironment, proof: String) {
        let catalog = try CatalogLoader.load(storekit: [], catalog: [folder.catalog.path])
        let app = try required("an app in the catalog", catalog.apps.first)
        try expect("the catalog's app", app.bundleID.rawValue, is: DemoFolder.bundleID)
        printer.sent("operator", "perennial serve --catalog catalog.yaml, which names Magazine.storekit")
        let store = try await StoreServer.start(in: folder, database: database.store, cleanup)
        printer.came(
            "\(store.url), process \(store.process.identifier): \(app.products.count) products of \(app.name)")
        let (questions, storeURL) = try await Proxy.start(before: store.url, cleanup)
        printer.sent("seller", "perennial deliver --store URL --content FOLDER --catalog catalog.yaml")
        let delivery = try await DeliveryServer.start(
            in: folder, database: database.delivery, store: storeURL,
            secret: try required("the app's shared secret", store.sharedSecrets[DemoFolder.bundleID]), cleanup)
        printer.came(
            "\(delivery.url), process \(delivery.process.identifier): it knows the store by verifyReceipt only")
        let (network, deliveryURL) = try await Proxy.start(before: delivery.url, cleanup)
        let control = Operator(store: store.sandbox, token: store.controlToken)
        for person in [Person.greta, .hiro, .nia] { try await control.account(of: person) }
        printer.sent("operator", "control/v1/accounts in the sandbox: Greta in DEU, Hiro in JPN, Nia in USA")
        printer.came("3 customers, each with a card; making them is for tests and operators only")
        let demo = DemoEnvironment(
            folder: folder, database: database, products: app.products.map(\.id.rawValue), cleanup: cleanup,
            store: store, delivery: delivery,
            questions: questions, network: network, deliveryURL: deliveryURL,
            greta: try Self.phone(of: .greta, store, deliveryURL, folder),
            hiro: try Self.phone(of: .hiro, store, deliveryURL, folder))
        return (demo, "Two processes serve one catalog; from here on, devices speak through OpenStoreKit alone.")
    }

    private static func phone(
        of person: Person, _ store: StoreServer, _ deliveryURL: String, _ folder: DemoFolder
    ) throws -> Device {
        try Device(
            .init(
                name: "\(person.name)'s phone", person: person, app: DemoFolder.bundleID, identifier: UUID(),
                store: store.sandbox, delivery: deliveryURL, root: store.receiptRootCertificate,
                folder: folder.devices.appending(path: "\(person.name)-phone")))
    }
}
