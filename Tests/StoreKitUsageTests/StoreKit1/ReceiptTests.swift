import StoreKit
import StoreKitTest
import Testing

/// The app's server as Apple describes it: it reads what the app has read, and asks `verifyReceipt`.
private struct ReceiptBackend {
    let store: URL
    let sharedSecret: String

    private struct Answer: Decodable {
        struct Receipt: Decodable {
            struct Purchase: Decodable {
                var product_id: String
            }

            var in_app: [Purchase]
        }

        var status: Int
        var receipt: Receipt?
    }

    /// Returns the products in a receipt, or the status of a refused one.
    func products(in receipt: Data) async throws -> (status: Int, products: [String]) {
        var request = URLRequest(url: store.appendingPathComponent("verifyReceipt"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode([
            "receipt-data": receipt.base64EncodedString(), "password": sharedSecret,
        ])
        let (data, _) = try await URLSession.shared.data(for: request)
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        return (answer.status, answer.receipt?.in_app.map(\.product_id) ?? [])
    }
}

@Suite("Usage: the app receipt")
@MainActor
struct ReceiptTests {
    private static func backend(of session: SKTestSession) async throws -> ReceiptBackend {
        ReceiptBackend(store: try await session.startServer(), sharedSecret: session.sharedSecret)
    }

    @Test("a purchase puts the receipt into the main bundle before it is delivered")
    func purchase() async throws {
        try await withMagazineStore { session in
            let file = try #require(Bundle.main.appStoreReceiptURL)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let silver = try await ProductLoader().load([Magazine.silver]).products
            let controller = PurchaseController()
            defer { controller.close() }
            var events = controller.events.makeAsyncIterator()
            controller.buy(try #require(silver.first))
            #expect(await events.next() == .bought(Magazine.silver))
            let answer = try await Self.backend(of: session).products(in: Data(contentsOf: file))
            #expect(answer.status == 0)
            #expect(answer.products == [Magazine.silver])
        }
    }

    @Test("a refresh makes a deleted or broken file anew")
    func refresh() async throws {
        try await withMagazineStore { session in
            let file = try #require(Bundle.main.appStoreReceiptURL)
            let backend = try await Self.backend(of: session)
            try await session.buyProduct(identifier: Magazine.silver)
            try await ReceiptRefresher().refresh()
            #expect(try await backend.products(in: Data(contentsOf: file)).products == [Magazine.silver])

            try await session.buyProduct(identifier: Magazine.amber)
            try FileManager.default.removeItem(at: file)
            try await ReceiptRefresher().refresh()
            let anew = try await backend.products(in: Data(contentsOf: file))
            #expect(anew.products.sorted() == [Magazine.amber, Magazine.silver].sorted())

            let receipt = try Data(contentsOf: file)
            try receipt.dropLast(receipt.count / 2).write(to: file)
            #expect(try await backend.products(in: Data(contentsOf: file)).status == 21002)
            try await ReceiptRefresher().refresh()
            #expect(try await backend.products(in: Data(contentsOf: file)).status == 0)
        }
    }

    @Test("the process's receipt is that of the newest session, and of no other bundle")
    func process() async {
        // A process of its own: sessions of other tests are newer than this one's.
        await #expect(processExitsWith: .success) {
            #expect(Bundle.main.appStoreReceiptURL == nil)
            let session = try SKTestSession(contentsOf: Magazine.configuration)
            let file = try #require(Bundle.main.appStoreReceiptURL)
            #expect(file == session.connection.appStoreReceiptURL)
            let other = try #require(Bundle(path: FileManager.default.temporaryDirectory.path))
            #expect(other.appStoreReceiptURL == nil)
            try await session.buyProduct(identifier: Magazine.silver)
            try await ReceiptRefresher().refresh()
            let answer = try await ReceiptTests.backend(of: session).products(in: Data(contentsOf: file))
            #expect(answer.products == [Magazine.silver])

            let newer = try SKTestSession(contentsOf: Magazine.configuration)
            let newerFile = try #require(Bundle.main.appStoreReceiptURL)
            #expect(newerFile == newer.connection.appStoreReceiptURL)
            #expect(newerFile != file)
            try await ReceiptRefresher().refresh()
            #expect(try await ReceiptTests.backend(of: newer).products(in: Data(contentsOf: newerFile)).products == [])
            #expect(try await ReceiptTests.backend(of: session).products(in: Data(contentsOf: file)).status == 0)
        }
    }
}
