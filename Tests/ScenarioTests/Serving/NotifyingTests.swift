import AppStoreFormats
import AsyncHTTPClient
import Foundation
import Synchronization
import TestSupport
import Testing

/// Goal: what was committed is told, also when the server is killed before it could tell.
/// Method: a served store sells to many; it is killed at once; a new one takes over the folder.
struct NotifyingTests {
    private static let customers = 60

    @Test func `sales before SIGKILL are notified after it, each under one UUID`() async throws {
        let data = try TemporaryFolder.make()
        let receiver = SellersReceiver()
        try await receiver.run { url in
            let store = try await RunningStore.start(data: data, ["--notifications", url])
            let sold = try await sell(store)
            store.process.signal(SIGKILL)
            _ = await store.process.ended()
            let next = try await RunningStore.start(data: data, ["--notifications", url])
            let verifier = try JWSVerifier(trustedRoots: [
                Array(Data(contentsOf: URL(filePath: "\(data)/keys/root.cer")))
            ])
            var told: [String: Set<String>] = [:]
            var seen = 0
            var arrivals = receiver.arrivals.makeAsyncIterator()
            while Set(told.keys) != sold, await arrivals.next() != nil {
                for jws in receiver.payloads.withLock({ Array($0.dropFirst(seen)) }) {
                    seen += 1
                    let payload = try verifier.verify(jws, as: NotificationPayload.self)
                    let signed = try #require(payload.data?.signedTransactionInfo)
                    let transaction = try verifier.verify(signed, as: TransactionPayload.self)
                    told[transaction.transactionId, default: []].insert(payload.notificationUUID)
                }
            }
            #expect(Set(told.keys) == sold)
            #expect(told.values.allSatisfy { $0.count == 1 })
            #expect(await next.stop().status == 0)
        }
    }

    /// - Returns: The transactions.
    private func sell(_ store: RunningStore) async throws -> Set<String> {
        try await RunningStore.withClient { client in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<Self.customers {
                    group.addTask {
                        let reply = try await RunningStore.ask(
                            client, "\(store.sandbox)/control/v1/purchases",
                            [
                                "bundleId": .string(RunningStore.bundleID), "account": .string("reader \(number)"),
                                "productId": "film.roll",
                            ], bearer: store.controlToken)
                        return try #require(reply["transactionId"]?.text)
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
        }
    }
}
