import Foundation
import OpenStoreKit
import Perennial
import PerennialStore

/// Sells to a session's client, after what is due by then: as ``SessionResponder``, without a request in text.
struct SessionSales: InProcessStore {
    private let store: Store
    private let gate: RequestGate
    private let schedule: RenewalSchedule

    init(_ store: Store, gate: RequestGate, schedule: RenewalSchedule) {
        (self.store, self.gate, self.schedule) = (store, gate, schedule)
    }

    func sell(_ order: InProcessOrder, token: String) async throws -> InProcessSale {
        try Task.checkCancellation()
        let request = PurchaseRequest(
            productID: Perennial.Product.ID(rawValue: order.productID), quantity: order.quantity,
            applicationUsername: order.appAccountToken, idempotencyKey: order.idempotencyKey)
        defer { schedule.expectNewWork() }
        let (transaction, signed) = try await gate.beside {
            try await schedule.bringUpToDate()
            return try await store.sell(request, token: token)
        }
        return InProcessSale(
            transactionID: UInt64(transaction.id.rawValue), originalID: UInt64(transaction.originalID.rawValue),
            isFinished: transaction.isFinished, signedTransaction: signed.transaction,
            signedRenewalInfo: signed.renewalInfo)
    }

    func appReceipt(token: String) throws -> Data {
        try BlockingExecutor.run { [store, gate, schedule] in
            try await gate.beside {
                try await schedule.bringUpToDate()
                let customer = try await store.accounts.customer(token: token)
                return Data(try await store.receipts.appReceipt(for: customer))
            }
        }
    }
}
