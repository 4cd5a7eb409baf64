import Foundation
import OpenStoreKit

/// A backend shows verifyReceipt receipts that it must not believe.
struct Refusing: Step {
    static let title = "A plain backend verifies, and is told what not to believe"

    let demo: DemoEnvironment
    /// Greta's receipt, with a subscription in it.
    let genuine: Data

    func run(_ printer: Printer) async throws -> (outcome: Void, proof: String) {
        let secret = try required("the app's secret", demo.store.sharedSecrets[DemoFolder.bundleID])
        try await verify("Greta's receipt with the shared secret", genuine, secret, status: 0, printer)
        try await verify("the same with one bit flipped", try flipped(genuine), secret, status: 21003, printer)
        try await verify("the same without the shared secret", genuine, nil, status: 21004, printer)
        try await verify("the same with a wrong secret", genuine, String(secret.reversed()), status: 21004, printer)
        try await anotherApp(secret, printer)
        return ((), "The genuine receipt is believed; the status of every other says why it isn't.")
    }

    @discardableResult
    private func verify(
        _ what: String, _ receipt: Data, _ secret: String?, status: Int, _ printer: Printer
    ) async throws -> ReceiptAnswer {
        printer.sent("backend", "POST verifyReceipt: \(what)")
        let answer = try await demo.backend.verify(receipt, password: secret)
        try expect("the status of \(what)", answer.status, is: status)
        let meaning =
            switch status {
            case 0: "valid, \(answer.environment ?? "?"), \(answer.receipt?.bundle_id ?? "?")"
            case 21003: "could not be authenticated"
            default: "the shared secret doesn't match"
            }
        printer.came("\(status): \(meaning)")
        return answer
    }

    /// The receipt with one bit of the bundle ID changed: it still reads as a receipt, but its signature is wrong.
    private func flipped(_ receipt: Data) throws -> Data {
        var changed = receipt
        let place = try required("the bundle ID in the receipt", changed.range(of: Data(DemoFolder.bundleID.utf8)))
        changed[place.upperBound - 1] ^= 1
        return changed
    }

    /// Another seller's app in the same store: its receipts are genuine, and not this seller's.
    private func anotherApp(_ secret: String, _ printer: Printer) async throws {
        let phone = try demo.device(of: .nia, called: "Nia's puzzles", app: DemoFolder.neighbourBundleID)
        _ = try await phone.buy(try await phone.product("pack"))
        let pack = try phone.receipt()
        printer.sent(demo.greta.name, "Delivery: a receipt of \(DemoFolder.neighbourBundleID), from the same store")
        do {
            _ = try await demo.greta.delivery.grant(for: pack)
            throw Unexpected(what: "another app's receipt", expected: "receiptForAnotherApp", came: "a grant")
        } catch let error as DeliveryError {
            try expect("Delivery's error", error.code, is: .receiptForAnotherApp)
            printer.came("403 \(error.code.rawValue): \(error.reason)")
        }
        _ = try await phone.buy(try await phone.product("daily"))
        try await verify(
            "\(DemoFolder.neighbourBundleID)'s receipt, our secret", try phone.receipt(), secret, status: 21004,
            printer)
    }
}
