import HTTPTypes
import Hummingbird
import NIOCore
import PerennialStorage
import PerennialStore

/// Apple's verifyReceipt. HTTP says 200 whatever the verdict; the verdict is the body's `status`, also on the shared secret.
struct VerifyReceiptRoute {
    /// Apple's limit on receipts and bodies: 3 MiB.
    private static let maximumBodyBytes = 3_145_728

    let stores: StoreResolver

    func add(to router: some RouterMethods<BasicConnectionContext>) {
        router.post("verifyReceipt") { request, context in
            do {
                let body = try await request.wholeBody(upTo: Self.maximumBodyBytes)
                let store = try await stores.store(for: context)
                return Self.response(await store.verification.verifyReceipt(Array(body.readableBytesView)))
            } catch is NIOTooManyBytesError {
                return Self.response(VerifyReceipt.tooLarge)
            } catch let error as StorageError {
                return Self.response(VerifyReceipt.failed(error))
            }
        }
        for method in [HTTPRequest.Method.get, .put, .delete, .patch, .head, .options, .trace] {
            router.on("verifyReceipt", method: method) { _, _ in Self.response(VerifyReceipt.notPosted) }
        }
    }

    /// Answers, and tells watchers and the log of a verdict that refuses.
    private static func response(_ answer: [UInt8]) -> Response {
        if let notes = RequestNotes.current, let refusal = RequestNotes.Refusal(verifyReceipt: answer) {
            notes.refuse(refusal)
        }
        return JSONResponse.bytes(answer)
    }
}
