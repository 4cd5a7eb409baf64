import AppStoreFormats
import OpenStoreKit

/// Content fails to arrive, the app is started again, and the purchase completes without paying twice.
struct Interrupted: Step {
    static let title = "Hiro's content doesn't arrive; he starts the app again"

    let demo: DemoEnvironment

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        let before = demo.hiro
        let product = try await before.product("special.portraits")
        printer.sent(before.name, "SKPayment special.portraits, \(product.storeDisplayPrice)")
        let outcome = try await before.buy(product)
        try expect("the course of the payment", outcome.course, is: "purchasing, purchased")
        let number = try required("the transaction's number", outcome.transaction.transactionIdentifier)
        printer.came("\(outcome.course): \(number)")
        try await missContent(before, printer)

        let phone = try await before.restarted()
        printer.sent(phone.name, "the app ends without finishing, and starts again: addTransactionObserver")
        let offered = try await phone.observer.waits(for: "the unfinished transaction", since: 0) { events in
            events.compactMap(\.observation).first { $0.state == .purchased }
        }
        try expect("the transaction offered again", offered.transaction.transactionIdentifier, is: number)
        printer.came("updatedTransactions: purchased \(number), as it was left")
        try await deliver(offered.transaction, phone, printer)

        let bought = try phone.purchases(in: try await phone.connection.refreshReceipt())
        try expect("all that Hiro's receipt says he bought", bought.map(\.transactionID), is: [number])
        await phone.queue.synchronize()
        try expect("what the store still holds as unfinished", phone.queue.transactions.count, is: 0)
        return ((), "Paid once: the receipt holds this one purchase, and nothing is left unfinished.")
    }

    private func missContent(_ phone: Device, _ printer: Printer) async throws {
        let grant = try await phone.delivery.grant(for: try phone.receipt())
        let content = try required("the large content", grant.content.first)
        demo.network.next(.notFound)
        printer.sent(phone.name, "Delivery: GET \(content.filename ?? content.contentId)")
        do {
            try await phone.fetch(content, grant)
            throw Unexpected(what: "a download that fails", expected: "contentNotFound", came: "a file")
        } catch let error as DeliveryError {
            try expect("the download's error", error.code, is: .contentNotFound)
            printer.came("404 (a fault on the way): \(error.code.rawValue), so the app doesn't finish")
        }
    }

    private func deliver(_ transaction: SKPaymentTransaction, _ phone: Device, _ printer: Printer) async throws {
        let grant = try await phone.delivery.grant(for: try phone.receipt())
        let content = try required("the large content", grant.content.first)
        try await phone.fetch(content, grant)
        printer.sent(phone.name, "Delivery: GET \(content.filename ?? content.contentId), then finishTransaction")
        try await phone.finish(transaction)
        printer.came("\(content.size.asBytes), SHA-256 right; the store has acknowledged")
    }
}
