import Foundation

/// The store, in a process of its own.
struct StoreServer: Sendable {
    private struct Announced: Decodable {
        struct App: Decodable {
            var bundleId: String
            var sharedSecret: String
        }

        var url: String
        var controlToken: String
        var receiptRootCertificate: String
        var apps: [App]
    }

    let process: ChildProcess
    let url: String
    let controlToken: String
    /// DER.
    let receiptRootCertificate: [UInt8]
    /// The shared secrets by bundle ID.
    let sharedSecrets: [String: String]

    var sandbox: String { url + "/sandbox" }

    /// - Parameter port: 0 takes a free one.
    static func start(
        in folder: DemoFolder, database: String?, port: Int = 0, _ cleanup: Cleanup
    ) async throws -> StoreServer {
        let ready = folder.url.appending(path: "store-ready.json")
        // A store that was killed has left its own behind.
        try? FileManager.default.removeItem(at: ready)
        let process = try ChildProcess(
            [
                "serve", "--port", "\(port)", "--data", folder.storeData.path, "--catalog", folder.catalog.path,
                "--catalog", folder.neighbour.path, "--ready-file", ready.path,
            ] + (database.map { ["--database", $0] } ?? []), log: folder.storeLog, cleanup)
        let announced = try await process.ready(ready, as: Announced.self)
        return StoreServer(
            process: process, url: announced.url, controlToken: announced.controlToken,
            receiptRootCertificate: [UInt8](try Data(contentsOf: URL(filePath: announced.receiptRootCertificate))),
            sharedSecrets: Dictionary(announced.apps.map { ($0.bundleId, $0.sharedSecret) }) { first, _ in first })
    }

    var port: Int { URL(string: url)?.port ?? 0 }
}

/// The seller's content server, in a process of its own.
struct DeliveryServer: Sendable {
    private struct Announced: Decodable {
        var url: String
    }

    let process: ChildProcess
    let url: String

    /// - Parameter store: Where it verifies.
    static func start(
        in folder: DemoFolder, database: String?, store: String, secret: String, _ cleanup: Cleanup
    ) async throws -> DeliveryServer {
        let ready = folder.url.appending(path: "delivery-ready.json")
        let process = try ChildProcess(
            [
                "deliver", "--port", "0", "--store", store, "--content", folder.content.path,
                "--catalog", folder.catalog.path, "--data", folder.deliveryData.path, "--ready-file", ready.path,
                // Each grant asks the store, so that the demo can show the request.
                "--cache-time", "0",
            ] + (database.map { ["--database", $0] } ?? []), environment: ["PERENNIAL_SHARED_SECRET": secret],
            log: folder.deliveryLog, cleanup)
        return DeliveryServer(process: process, url: try await process.ready(ready, as: Announced.self).url)
    }
}
