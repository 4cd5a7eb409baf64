import BaseEncoding
import Foundation
import HTTPTypes
import Hummingbird
import OpenStoreKit
import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore
import Synchronization

/// The seller's content server of a session, made with its first content.
///
/// It verifies receipts with the session's store, and goes by the session's clock.
final class SessionContent: Transport {
    private struct State {
        var contents: [Content] = []
        var delivery: Delivery?
        var server: RouterTransport?
    }

    private let state = Mutex(State())
    private let configuration: SessionConfiguration
    private let host: StoreHost
    private let store: Store
    private let time: SessionTime
    /// Folder of the files that the server delivers.
    private let folder: URL

    init(_ configuration: SessionConfiguration, host: StoreHost, store: Store, time: SessionTime, folder: URL) {
        self.configuration = configuration
        self.host = host
        self.store = store
        self.time = time
        self.folder = folder
    }

    /// Makes the client of the app.
    func makeClient(_ dependencies: DeviceDependencies) -> DeliveryClient {
        DeliveryClient(
            baseURL: URL(string: "http://session/")!, bundleID: configuration.bundleID.rawValue, files: SessionFiles(),
            transport: self, dependencies: dependencies)
    }

    /// Adds a content, or replaces the one with its ID.
    ///
    /// - Throws: ``SKTestError`` `.invalidAction` for a product that the configuration doesn't have; errors of the file system.
    func put(_ data: Data, _ content: Content) throws {
        let file = folder.appendingPathComponent(content.file)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
        state.withLock { state in
            state.contents.removeAll { $0.id == content.id }
            state.contents.append(content)
        }
    }

    /// Returns a name for a new file.
    func makeFileName() -> String { Hexadecimal.encode(StoreHost.randomBytes(8)) }

    // MARK: Transport

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        guard let server = try server() else { return Self.answerWithoutContent(to: call) }
        return try await server.send(call, maximumBytes: maximumBytes)
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer {
        guard let server = try server() else {
            throw TransportError(.noConnection, url: call.url, reason: "the session has no content")
        }
        return try await server.stream(call)
    }

    /// Answers for a session without content: an empty list of products, and nothing else.
    private static func answerWithoutContent(to call: HTTPCall) -> HTTPAnswer {
        guard call.method == .get else {
            return HTTPAnswer(
                status: 404,
                body: Data(#"{"error": {"code": "appNotFound", "message": "the session has no content"}}"#.utf8))
        }
        return HTTPAnswer(status: 200, body: Data(#"{"products": []}"#.utf8))
    }

    private func server() throws -> RouterTransport? {
        if let server = state.withLock({ $0.server }) { return server }
        guard !state.withLock({ $0.contents.isEmpty }) else { return nil }
        let made = RouterTransport(try routes().makeRouter().buildResponder(), host.channels, logger: StoreHost.logger)
        return state.withLock { state in
            if let server = state.server { return server }
            state.server = made
            return made
        }
    }

    /// Returns the routes of the content server, also for a server with sockets.
    func routes() throws -> DeliveryRoutes {
        if let delivery = state.withLock({ $0.delivery }) { return DeliveryRoutes(delivery: delivery) }
        let made = try makeDelivery()
        // Of two made at once, one stays.
        return state.withLock { state in
            let delivery = state.delivery ?? made
            state.delivery = delivery
            return DeliveryRoutes(delivery: delivery)
        }
    }

    private func makeDelivery() throws -> Delivery {
        // A database of its own: sessions of one app don't share refunds.
        let database = try Database(inMemory: try ProcessParts.emptyDatabase.get())
        let time = time
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return Delivery(
            database: database, catalog: { [weak self] in self?.catalog ?? DeliveryCatalog([]) },
            library: try ContentLibrary(root: folder.path), verification: SessionReceipts(store: store),
            clock: { time.now }, storeTime: .asking { _ in time.now }, randomBytes: StoreHost.randomBytes,
            logger: StoreHost.logger)
    }

    private var catalog: DeliveryCatalog {
        DeliveryCatalog([
            DeliveryCatalog.Entry(
                app: configuration.app, contents: state.withLock { $0.contents }, sharedSecret: host.app.sharedSecret)
        ])
    }
}

/// Verifies receipts with the session's store.
private struct SessionReceipts: ReceiptVerifying, VerifyReceiptEndpoint {
    let store: Store

    func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
        let target = VerificationTarget(production: "session", sandbox: nil)
        let dependencies = RetryDependencies(sleep: { _ in }, elapsed: { .zero }, fraction: { 0 })
        return try await ReceiptVerification(
            target: target, endpoint: self, dependencies: dependencies, logger: StoreHost.logger
        ).verify(receipt: receipt, password: password)
    }

    func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
        VerifyReceiptAnswer(httpStatus: 200, body: await store.verification.verifyReceipt(body))
    }
}
