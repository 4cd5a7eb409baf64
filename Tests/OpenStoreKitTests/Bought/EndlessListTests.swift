import AppStoreFormats
import Foundation
import OpenStoreKit
import Synchronization
import Testing

/// Stores whose lists have always more.
@Suite(.timeLimit(.minutes(2))) struct EndlessListTests {
    private let device: Device

    init() throws {
        device = try Device()
    }

    @Test(arguments: EndlessStore.Form.allCases)
    func `a list of changes without an end ends with an error`(form: EndlessStore.Form) async throws {
        let store = try EndlessStore(form)
        let connection = try device.signedConnection(
            store, roots: [Data(SignedStore.identities.rootCertificate)], clock: .init(SignedStore.start))
        await connection.transactionSync.synchronize()
        #expect(connection.transactionSync.isOffline)
        #expect(store.count <= form.longest)
        #expect(connection.vault.contents.transactions.count <= 1)
    }

    @Test(arguments: EndlessStore.Form.allCases)
    func `a list of revocations without an end holds up no purchase`(form: EndlessStore.Form) async throws {
        let store = FakeStore()
        store.sell("filter")
        let endless = EndlessRevocations(store, form)
        let queue = SKPaymentQueue(connection: device.connection(endless))
        let recorder = Recorder()
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log == ["purchased filter"])
        #expect(endless.count <= form.longest)
    }

    @Test func `a list of unfinished purchases that doesn't get shorter is asked for a few times`() async throws {
        let store = FakeStore()
        store.sell("filter")
        let queue = SKPaymentQueue(connection: device.connection(StubbornStore(store)))
        let recorder = Recorder(finishes: true)
        queue.add(recorder)
        await queue.settle()
        #expect(recorder.log == ["purchased filter", "removed filter"])
        #expect(store.log.count { $0 == "GET transactions/unfinished" } <= 3)
    }
}

/// A store with one purchase, whose answers about changes say that more follow.
final class EndlessStore: Transport {
    enum Form: CaseIterable {
        /// Pages without entries, with new revisions.
        case empty
        /// Pages with one revision, or with two by turns.
        case repeated, alternating
        /// Pages with an entry and a new revision each.
        case full

        /// Largest number of requests.
        var longest: Int { self == .full ? 1_000 : 4 }

        func revision(of page: Int) -> String {
            switch self {
            case .empty, .full: "page \(page)"
            case .repeated: "page"
            case .alternating: "page \(page % 2)"
            }
        }
    }

    private let store: SignedStore
    private let form: Form
    private let signed: String
    private let pages = Mutex(0)

    init(_ form: Form) throws {
        store = try SignedStore()
        signed = try store.signed(.sold(1, "atlas"))
        self.form = form
    }

    var count: Int { pages.withLock { $0 } }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        guard call.url.path == "/store/v1/changes" else {
            return try await store.send(call, maximumBytes: maximumBytes)
        }
        let page = pages.withLock { pages in
            pages += 1
            return pages
        }
        let answer: [String: Any] = [
            "transactions": form == .empty ? [] : [["signedTransaction": signed, "isFinished": true] as [String: Any]],
            "subscriptions": [] as [String], "revision": form.revision(of: page), "hasMore": true,
            "isComplete": page == 1,
        ]
        return HTTPAnswer(status: 200, body: try JSONSerialization.data(withJSONObject: answer))
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}

/// A store whose revocations never end.
private final class EndlessRevocations: Transport {
    private let store: FakeStore
    private let form: EndlessStore.Form
    private let pages = Mutex(0)

    init(_ store: FakeStore, _ form: EndlessStore.Form) {
        self.store = store
        self.form = form
    }

    var count: Int { pages.withLock { $0 } }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        let answer = try await store.send(call, maximumBytes: maximumBytes)
        guard call.url.path.hasSuffix("/revoked") else { return answer }
        let page = pages.withLock { pages in
            pages += 1
            return pages
        }
        let entry =
            #"{"transactionId": "7", "originalTransactionId": "7", "productId": "other", "type": "nonConsumable", "#
            + #""quantity": 1, "purchaseDate": "2026-01-01T00:00:00Z", "originalPurchaseDate": "2026-01-01T00:00:00Z", "#
            + #""state": "purchased", "revocationDate": "2026-01-02T00:00:00Z"}"#
        let entries = form == .empty ? "" : entry
        return HTTPAnswer(
            status: 200,
            body: Data(
                #"{"transactions": [\#(entries)], "revision": "\#(form.revision(of: page))", "hasMore": true}"#.utf8))
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}

/// A store that always lists its first purchase as unfinished, and has more.
private struct StubbornStore: Transport {
    let store: FakeStore

    init(_ store: FakeStore) {
        self.store = store
    }

    func send(_ call: HTTPCall, maximumBytes: Int) async throws -> HTTPAnswer {
        if call.url.path.hasSuffix("/unfinished") {
            store.set { state in
                for index in state.sales.indices { state.sales[index].isFinished = false }
            }
        }
        var answer = try await store.send(call, maximumBytes: maximumBytes)
        guard call.url.path.hasSuffix("/unfinished") else { return answer }
        answer.body = Data(
            String(decoding: answer.body, as: UTF8.self).replacingOccurrences(
                of: #""hasMore":false"#, with: #""hasMore":true"#
            ).utf8)
        return answer
    }

    func stream(_ call: HTTPCall) async throws -> StreamedAnswer { try await store.stream(call) }
}
