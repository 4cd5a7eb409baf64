import StoreKit
import StoreKitTest
import Testing

@Suite("Usage: test doubles of StoreKitTest")
struct TestDoublesTests {
    /// The part of the code under test that shows what waits.
    private func waiting(in session: SKTestSession) -> [String] {
        session.allTransactions().filter(\.pendingAskToBuyConfirmation).map(\.productIdentifier)
    }

    @Test("a session's subclass records, and works as the session")
    func session() async throws {
        let session = try RecordingSession(contentsOf: Magazine.configuration)
        try await session.withSession {
            let bought = try await session.buyProduct(identifier: Magazine.silver)
            #expect(session.allTransactions().map(\.identifier) == [UInt(bought.id)])
            try session.refundTransaction(identifier: UInt(bought.id))
            #expect(session.refunded == [UInt(bought.id)])
            #expect(try await StoreKit.Transaction.latest(for: Magazine.silver)?.payloadValue.revocationDate != nil)
            #expect(throws: SKTestError.self) { try session.refundTransaction(identifier: 1) }
            #expect(session.refunded.count == 1)
        }
    }

    @Test("a transaction is made up")
    func transaction() throws {
        let session = try RecordingSession(contentsOf: Magazine.configuration)
        session.madeUp = [DoubleTestTransaction(of: Magazine.amber), SKTestTransaction()]
        #expect(waiting(in: session) == [Magazine.amber])
        let transaction: SKTestTransaction = DoubleTestTransaction(of: Magazine.amber)
        #expect(transaction.state == .deferred && transaction.identifier == 17)
        #expect(transaction.expirationDate == Date(timeIntervalSince1970: 1_700_086_400))
    }
}
