import Foundation
import OpenStoreKit

/// A second device, a customer with nothing to restore, and one without a network.
struct Restoring: Step {
    static let title = "Greta's tablet restores what she bought on her phone"

    /// A port without a listener: that of the discard service (RFC 863).
    private static let nowhere = "http://127.0.0.1:9/sandbox"

    let demo: DemoEnvironment

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        // Two slow operations begin now: the failing connection and the digest of the password.
        let offline = try deviceWithoutNetwork()
        offline.queue.restoreCompletedTransactions()
        let tablet = try demo.device(of: .greta, called: "Greta's tablet")
        async let signedIn: Void = tablet.delivery.signIn(customer: "greta", password: Delivering.password)
        try await restore(tablet, printer)
        printer.sent(tablet.name, "Delivery: signed in as greta, which terms of mine run?")
        try await signedIn
        try await fetchTerms(tablet, printer)
        try await restoreNothing(printer)
        try await restoreWithoutNetwork(offline, printer)
        return ((), "The store restores what is Greta's for good; the seller's server knows the rest.")
    }

    private func restore(_ tablet: Device, _ printer: Printer) async throws {
        printer.sent(tablet.name, "restoreCompletedTransactions")
        let mark = tablet.observer.mark
        tablet.queue.restoreCompletedTransactions()
        try await Self.finished(tablet, since: mark)
        let restored = tablet.observer.transactions(.restored, since: mark)
        let names = restored.map(\.payment.productIdentifier.withoutBundleID)
        try expect(
            "what is restored", names.sorted(),
            is: ["filter.silver", "magazine.monthly", "newsletter.free", "special.portraits"])
        let bought = Dictionary(
            demo.greta.connection.vault.records.map { ($0.productIdentifier, $0.transactionIdentifier) }
        ) { first, _ in first }
        for transaction in restored {
            let original = try required(
                "a restored transaction's original", transaction.original?.transactionIdentifier)
            try expect(
                "the original", original, is: bought[transaction.payment.productIdentifier] ?? "none on the phone")
            try expect("a number of its own", transaction.transactionIdentifier != original, came: "the original's")
            printer.came(
                "restored \(Printer.padded(transaction.payment.productIdentifier.withoutBundleID, to: 18))original \(original)"
            )
            try await tablet.finish(transaction)
        }
        printer.more("then the finished callback; no film.roll, no archive.1week")
    }

    private func fetchTerms(_ tablet: Device, _ printer: Printer) async throws {
        let terms = try await tablet.delivery.terms()
        let week = try required("the archive's term", terms.nonRenewing.first)
        try expect("the term's product", week.productId.withoutBundleID, is: "archive.1week")
        try expect("the term runs", week.isActive, is: true)
        let content = try required("the archive's content", terms.content.first)
        try await tablet.fetch(content, terms)
        let end = week.expires.formatted(.iso8601.year().month().day())
        printer.came("archive.1week until \(end), with its \(content.contentId) (\(content.size) bytes)")
    }

    private func restoreNothing(_ printer: Printer) async throws {
        let phone = try demo.device(of: .nia, called: "Nia's phone")
        printer.sent(phone.name, "restoreCompletedTransactions, by a customer who bought nothing")
        phone.queue.restoreCompletedTransactions()
        try await Self.finished(phone, since: 0)
        try expect("updates before the finished callback", phone.observer.events().count - 1, is: 0)
        printer.came("the finished callback, and no update")
    }

    private func deviceWithoutNetwork() throws -> Device {
        var facts = try demo.device(of: .nia, called: "Nia's tablet").facts
        facts.store = Self.nowhere
        return try Device(facts)
    }

    private func restoreWithoutNetwork(_ tablet: Device, _ printer: Printer) async throws {
        printer.sent(tablet.name, "restoreCompletedTransactions, without a network")
        let error = try await tablet.observer.waits(for: "the failed callback", since: 0) { events -> SKError? in
            for case .restoreFailed(let error) in events { return error as? SKError }
            return nil
        }
        let isFinished = tablet.observer.events().contains { if case .restoreFinished = $0 { true } else { false } }
        try expect("whether the finished callback came as well", isFinished, is: false)
        printer.came("the failed callback: \(error.localizedDescription)")
    }

    private static func finished(_ device: Device, since mark: Int) async throws {
        try await device.observer.waits(for: "the finished callback of a restore", since: mark) { events in
            events.contains { if case .restoreFinished = $0 { true } else { false } } ? () : nil
        }
    }
}
