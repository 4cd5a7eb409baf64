import HTTPTypes
import Hummingbird
import NIOCore
import PerennialStore

/// Apple's verifyReceipt. HTTP says 200 whatever the verdict; the verdict is the body's `status`.
struct VerifyReceiptRoute {
    /// Facts 1.10: receipts and bodies up to 3 MiB.
    private static let maximumBodyBytes = 3_145_728

    let stores: StoreResolver

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("verifyReceipt") { request, context in
            let store = try await stores.store(for: context)
            let body: ByteBuffer
            do {
                body = try await request.body.collect(upTo: Self.maximumBodyBytes)
            } catch is NIOTooManyBytesError {
                return JSONResponse.bytes(VerifyReceipt.tooLarge)
            }
            return JSONResponse.bytes(await store.verifyReceipt(Array(body.readableBytesView)))
        }
        for method in [HTTPRequest.Method.get, .put, .delete, .patch, .head] {
            router.on("verifyReceipt", method: method) { _, _ in JSONResponse.bytes(VerifyReceipt.notPosted) }
        }
    }
}
